#include "broad_model.h"

#include "posed_faces.h"
#include "reports.h"

#include <math.h>

static double round_down(double x)
{
    volatile float narrow = (float)x;
    return (double)narrow <= x ? (double)narrow : (double)nextafterf(narrow, -INFINITY);
}

imp_Box broad_box_rounded(const LaneBroad *model, const imp_Box *box)
{
    if (!model->is_float)
        return *box;
    return (imp_Box){{round_down(box->min.x), round_down(box->min.y), round_down(box->min.z)},
                     {-round_down(-box->max.x), -round_down(-box->max.y), -round_down(-box->max.z)}};
}

size_t broad_model_count(const LaneBroad *model)
{
    size_t count = 0;
    for (int i = 0; i < MAX_BROAD_SLOTS; ++i)
        count += model->boxes[i].is_alive;
    return count;
}

void broad_model_add(LaneBroad *model, imp_BroadId id, const imp_Box *box, uint64_t category_bits,
                     uint64_t ignore_bits)
{
    if (!CHECK(id.slot >= 1 && id.slot <= MAX_BROAD_SLOTS))
        return;
    BroadBox *place = &model->boxes[id.slot - 1];
    CHECK(!place->is_alive && id.generation > place->id.generation);
    *place = (BroadBox){true, true, id, broad_box_rounded(model, box), category_bits, ignore_bits};
}

static bool has_pair(const IndexPairs *list, imp_IndexPair pair)
{
    for (size_t i = 0; i < list->count; ++i)
        if (list->pairs[i].a == pair.a && list->pairs[i].b == pair.b)
            return true;
    return false;
}

static bool is_reborn(const LaneBroad *model, imp_IndexPair pair)
{
    return model->boxes[pair.a - 1].is_new || model->boxes[pair.b - 1].is_new;
}

// Pairs that the other list lacks, or has of other boxes.
static void list_changes(const LaneBroad *model, const IndexPairs *list, const IndexPairs *other,
                         IndexPairs *changes)
{
    changes->count = 0;
    for (size_t i = 0; i < list->count; ++i)
        if (!has_pair(other, list->pairs[i]) || is_reborn(model, list->pairs[i]))
            changes->pairs[changes->count++] = list->pairs[i];
}

void broad_model_update(LaneBroad *model)
{
    IndexPairs now = {.count = 0};
    for (uint32_t a = 1; a <= MAX_BROAD_SLOTS; ++a)
        for (uint32_t b = a + 1; b <= MAX_BROAD_SLOTS; ++b) {
            const BroadBox *first = &model->boxes[a - 1], *second = &model->boxes[b - 1];
            if (first->is_alive && second->is_alive && boxes_overlap(&first->box, &second->box) &&
                !(first->category_bits & second->ignore_bits) &&
                !(second->category_bits & first->ignore_bits))
                now.pairs[now.count++] = (imp_IndexPair){a, b};
        }
    list_changes(model, &now, &model->pairs, &model->begun);
    list_changes(model, &model->pairs, &now, &model->ended);
    model->pairs = now;
    for (int i = 0; i < MAX_BROAD_SLOTS; ++i)
        model->boxes[i].is_new = false;
}

static void check_list(const imp_IndexPair *pairs, size_t count, const IndexPairs *wanted)
{
    CHECK_INT(count, wanted->count);
    CHECK(count == wanted->count && are_same_bytes(pairs, wanted->pairs, count * sizeof *pairs));
}

void broad_model_check(const LaneBroad *model, const imp_BroadResult *result)
{
    check_list(result->pairs, result->pair_count, &model->pairs);
    check_list(result->begun, result->begun_count, &model->begun);
    check_list(result->ended, result->ended_count, &model->ended);
}
