#include "relations.h"

static const struct {
    const char *name;
    uint32_t flag; // 0: reports have none
    impi_Emphasis emphasis;
} relations[RELATION_COUNT] = {
    [RELATION_TOUCH] = {"touch", IMP_RELATION_TOUCH, IMPI_YELLOW},
    [RELATION_OVERLAP] = {"overlap", 0, IMPI_RED},
    [RELATION_A_INSIDE_B] = {"a_inside_b", IMP_RELATION_A_INSIDE_B, IMPI_RED},
    [RELATION_B_INSIDE_A] = {"b_inside_a", IMP_RELATION_B_INSIDE_A, IMPI_RED},
    [RELATION_BOTH_INSIDE] = {"a_inside_b+b_inside_a", 0, IMPI_RED},
    [RELATION_CLEARANCE] = {"clearance", 0, IMPI_PLAIN},
    [RELATION_APART] = {"apart", 0, IMPI_PLAIN},
};

bool relation_has_faces(Relation relation)
{
    return relation == RELATION_TOUCH || relation == RELATION_OVERLAP;
}

const char *relation_name(Relation relation)
{
    return relations[relation].name;
}

const char *path_name(imp_PathKind path)
{
    return path == IMP_PATH_RIGID ? "rigid" : "straight";
}

impi_Emphasis relation_emphasis(Relation relation)
{
    return relations[relation].emphasis;
}

bool relation_take(uint32_t *flags, bool overlaps, Relation *relation)
{
    for (int i = 0; i < RELATION_COUNT; ++i) {
        if (*flags & relations[i].flag) {
            *flags &= ~relations[i].flag;
            *relation = i == RELATION_TOUCH && overlaps ? RELATION_OVERLAP : (Relation)i;
            return true;
        }
    }
    return false;
}

Relation relation_of(imp_Relation flag, bool overlaps)
{
    uint32_t flags = flag;
    Relation relation = RELATION_TOUCH;
    relation_take(&flags, overlaps, &relation);
    return relation;
}
