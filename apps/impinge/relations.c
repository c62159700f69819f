#include "relations.h"

const RelationWords relations[RELATION_COUNT] = {
    {IMP_RELATION_TOUCH, "touch", "touches"},
    {IMP_RELATION_A_INSIDE_B, "a_inside_b", "is inside"},
    {IMP_RELATION_B_INSIDE_A, "b_inside_a", "contains"},
};

const RelationWords *relation_words(imp_Relation relation)
{
    size_t i = 0;
    while (i + 1 < RELATION_COUNT && relations[i].relation != relation)
        ++i;
    return &relations[i];
}
