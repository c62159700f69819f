// imp_pairs_find and imp_pairs_find_between beside brute force: random scenes of all kinds, float and double,
// 1, 2 and 5 threads, every instruction set.
#include "base/context.h"
#include "box_scenes.h"
#include "broad/linear_octree.h"
#include "broad/linear_octree_variants.h"
#include "broad/pair_store.h"
#include "harness.h"

#include <impinge/broad.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool check_scene(imp_Context *context, const BoxScene *scene, const PairList *want,
                        imp_IndexPair *pairs)
{
    uint64_t count = UINT64_MAX, counted = UINT64_MAX;
    imp_BoxArray boxes = box_scene_array(scene);
    bool fine = CHECK_INT(imp_pairs_find(context, &boxes, pairs, want->count, &count), IMP_STATUS_OK) &&
                CHECK_INT((int64_t)count, (int64_t)want->count) &&
                CHECK(memcmp(pairs, want->pairs, want->count * sizeof *pairs) == 0) &&
                CHECK_INT(imp_pairs_find(context, &boxes, NULL, 0, &counted), IMP_STATUS_OK) &&
                CHECK_INT((int64_t)counted, (int64_t)want->count);
    if (fine && want->count > 0) {
        memset(pairs, 0xAB, sizeof *pairs);
        fine = CHECK_INT(imp_pairs_find(context, &boxes, pairs, want->count - 1, &count),
                         IMP_STATUS_BUFFER_SHORT) &&
               CHECK_INT((int64_t)count, (int64_t)want->count) &&
               (want->count == 1 || CHECK(pairs->a == 0xABABABAB));
    }
    if (!fine)
        printf("kind %d, %s, %zu boxes, %zu pairs, found %zu\n", scene->kind,
               scene->is_float ? "float" : "double", scene->count, want->count, (size_t)count);
    return fine;
}

// ---- two sets

// The boxes before `split` are one set, the others the second; each in its own type, since floats are
// doubles.
typedef struct Split {
    size_t count;
    imp_BoxArray first, second;
} Split;

static Split split_scene(const BoxScene *scene)
{
    Split split = {.count = test_random_below((uint32_t)scene->count + 1)};
    split.first = split.second = box_scene_array(scene);
    split.first.count = split.count;
    split.second.count = scene->count - split.count;
    if (!scene->is_float || test_random_below(2)) {
        split.second.boxes = scene->rows[split.count];
        split.second.float_boxes = NULL;
    } else {
        split.second.float_boxes += 6 * split.count;
    }
    return split;
}

static void keep_between(const PairList *among, size_t split, PairList *between)
{
    between->count = 0;
    for (size_t i = 0; i < among->count; ++i)
        if (among->pairs[i].a < split && among->pairs[i].b >= split)
            between->pairs[between->count++] =
                (imp_IndexPair){among->pairs[i].a, among->pairs[i].b - (uint32_t)split};
}

static bool check_split(imp_Context *context, const Split *split, const PairList *want, imp_IndexPair *pairs)
{
    uint64_t count = UINT64_MAX, counted = UINT64_MAX;
    const imp_IndexPair *list = NULL;
    size_t listed = SIZE_MAX;
    bool fine =
        CHECK_INT(imp_pairs_find_between(context, &split->first, &split->second, pairs, want->count, &count),
                  IMP_STATUS_OK) &&
        CHECK_INT((int64_t)count, (int64_t)want->count) &&
        CHECK(memcmp(pairs, want->pairs, want->count * sizeof *pairs) == 0) &&
        CHECK_INT(imp_pairs_find_between(context, &split->first, &split->second, NULL, 0, &counted),
                  IMP_STATUS_OK) &&
        CHECK_INT((int64_t)counted, (int64_t)want->count) &&
        CHECK_INT(imp_pairs_list_between(context, &split->first, &split->second, &list, &listed),
                  IMP_STATUS_OK) &&
        CHECK_INT((int64_t)listed, (int64_t)want->count) &&
        (listed == 0 || CHECK(memcmp(list, want->pairs, listed * sizeof *list) == 0));
    if (fine && want->count > 1) {
        memset(pairs, 0xAB, sizeof *pairs);
        fine = CHECK_INT(imp_pairs_find_between(context, &split->first, &split->second, pairs,
                                                want->count - 1, &count),
                         IMP_STATUS_BUFFER_SHORT) &&
               CHECK_INT((int64_t)count, (int64_t)want->count) && CHECK(pairs->a == 0xABABABAB);
    }
    if (!fine)
        printf("%zu and %zu boxes, %zu pairs, found %zu\n", split->first.count, split->second.count,
               want->count, (size_t)count);
    return fine;
}

// ---- instruction sets

#define GROUP_LANES (IMPI_LANES * IMPI_LANES)

// The boxes before `split`, padded to whole groups, and the others behind them. Returns how many lanes that
// takes.
static size_t sort_split(const impi_SearchWork *work, const impi_BoxRows *rows, size_t split, uint32_t *order)
{
    impi_BoxRows first = *rows, second = *rows;
    first.count = split;
    second.count -= split;
    if (rows->float_rows)
        second.float_rows += 6 * split;
    else
        second.double_rows += 6 * split;
    size_t padded = (split + GROUP_LANES - 1) / GROUP_LANES * GROUP_LANES;
    CHECK(impi_octree_sort(work, &first, order, NULL) &&
          impi_octree_sort(work, &second, order + padded, NULL));
    for (size_t i = split; i < padded; ++i)
        order[i] = IMPI_NO_BOX;
    for (size_t i = 0; i < second.count; ++i)
        order[padded + i] += (uint32_t)split;
    return padded + (second.count + IMPI_LANES - 1) / IMPI_LANES * IMPI_LANES;
}

// With a `split` that is not 0, `want` are pairs between the boxes before it and the others.
static bool check_kernel(imp_Context *context, const impi_OctreeKernel *kernel, const BoxScene *scene,
                         size_t split, const PairList *want, imp_IndexPair *pairs)
{
    impi_Octree octree;
    impi_PairStore store;
    bool exact;
    size_t room = (scene->count + IMPI_LANES - 1) / IMPI_LANES * IMPI_LANES;
    impi_arena_reset(&context->scratch);
    impi_SearchWork work = {&context->executor, kernel, &context->scratch, NULL, NULL};
    impi_BoxRows rows = {
        box_scene_array(scene).float_boxes, box_scene_array(scene).boxes, scene->count, {0, 0, 0}, 1};
    impi_box_rows_choose_map(&rows);
    octree.order = impi_arena_allocate_array(work.scratch, room + GROUP_LANES, sizeof(uint32_t));
    if (split > 0)
        room = sort_split(&work, &rows, split, octree.order);
    else
        CHECK(impi_octree_sort(&work, &rows, octree.order, NULL));
    impi_octree_lay_out(&octree, room, impi_arena_allocate(work.scratch, impi_octree_levels_size(room)));
    octree.split_group = (split + GROUP_LANES - 1) / GROUP_LANES;
    impi_octree_fill(&work, &rows, &octree, &exact);
    impi_pair_store_init(&store, work.scratch, scene->count);
    store.double_rows = exact ? NULL : rows.double_rows;
    impi_PairTaker taker = {impi_pair_store_take, &store, store.index_bits, NULL};
    impi_octree_search(&work, &octree, &taker);
    bool fine = CHECK_INT((int64_t)store.kept, (int64_t)want->count) &&
                CHECK(impi_pair_store_sort(&store, &work, NULL, pairs));
    for (size_t i = 0; i < want->count && fine; ++i)
        pairs[i].b -= (uint32_t)split;
    fine = fine && CHECK(memcmp(pairs, want->pairs, want->count * sizeof *pairs) == 0);
    if (!fine)
        printf("kernel %s, kind %d, %zu boxes\n", kernel->name, scene->kind, scene->count);
    impi_pair_store_destroy(&store);
    return fine;
}

static bool check_all_kernels(imp_Context *context, const BoxScene *scene, size_t split, const PairList *want,
                              imp_IndexPair *pairs)
{
    const impi_OctreeKernel *kernels[3];
    size_t kernel_count = impi_octree_kernels(kernels);
    for (size_t i = 0; i < kernel_count; ++i)
        if (!check_kernel(context, kernels[i], scene, split, want, pairs))
            return false;
    return true;
}

TEST(every_scene_agrees_with_brute_force)
{
    static const uint32_t thread_counts[3] = {1, 2, 5};
    size_t capacity = (size_t)BOX_SCENE_MAX * (BOX_SCENE_MAX - 1) / 2;
    uint64_t scenes_with_pairs[BOX_KIND_COUNT] = {0}, scene_count = test_count(200);
    BoxScene *scene = malloc(sizeof *scene);
    PairList want = {malloc(capacity * sizeof *want.pairs), 0};
    imp_IndexPair *pairs = malloc(capacity * sizeof *pairs);
    imp_Context *contexts[3];
    bool fine = CHECK(scene && want.pairs && pairs);
    for (int t = 0; t < 3; ++t)
        fine &=
            CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_counts[t]}, &contexts[t]),
                      IMP_STATUS_OK);
    for (uint64_t i = 0; fine && i < scene_count; ++i) {
        box_scene_make_random(scene, (BoxKind)(i % BOX_KIND_COUNT), i / BOX_KIND_COUNT & 1);
        box_scene_brute_force(scene, &want);
        scenes_with_pairs[scene->kind] += want.count > 0;
        for (int t = 0; fine && t < 3; ++t)
            fine = check_scene(contexts[t], scene, &want, pairs);
        fine = fine && (scene->count == 0 || check_all_kernels(contexts[i % 3], scene, 0, &want, pairs));
    }
    for (int kind = 0; fine && scene_count >= 450 && kind < BOX_KIND_COUNT; ++kind)
        if (!CHECK(scenes_with_pairs[kind] * 4 > scene_count / BOX_KIND_COUNT))
            printf("kind %d: %d scenes with pairs\n", kind, (int)scenes_with_pairs[kind]);
    for (int t = 0; t < 3; ++t)
        imp_context_destroy(contexts[t]);
    free(pairs);
    free(want.pairs);
    free(scene);
}

TEST(pairs_between_two_sets_agree_with_brute_force)
{
    static const uint32_t thread_counts[3] = {1, 2, 5};
    size_t capacity = (size_t)BOX_SCENE_MAX * (BOX_SCENE_MAX - 1) / 2;
    uint64_t with_pairs = 0, mixed_types = 0, empty_sets = 0, scene_count = test_count(200);
    BoxScene *scene = malloc(sizeof *scene);
    PairList among = {malloc(capacity * sizeof *among.pairs), 0};
    PairList want = {malloc(capacity * sizeof *want.pairs), 0};
    imp_IndexPair *pairs = malloc(capacity * sizeof *pairs);
    bool fine = CHECK(scene && among.pairs && want.pairs && pairs);
    for (uint64_t i = 0; fine && i < scene_count; ++i) {
        imp_Context *context = NULL;
        imp_ContextDef def = {.thread_count = thread_counts[i % 3]};
        box_scene_make_random(scene, (BoxKind)(i % BOX_KIND_COUNT), i / BOX_KIND_COUNT & 1);
        Split split = split_scene(scene);
        box_scene_brute_force(scene, &among);
        keep_between(&among, split.count, &want);
        bool has_empty = split.count == 0 || split.count == scene->count;
        with_pairs += want.count > 0;
        empty_sets += has_empty;
        mixed_types += !has_empty && !split.first.boxes != !split.second.boxes;
        fine = CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK) &&
               check_split(context, &split, &want, pairs) &&
               (has_empty || check_all_kernels(context, scene, split.count, &want, pairs));
        imp_context_destroy(context);
    }
    if (fine && scene_count >= 450)
        CHECK(with_pairs * 2 > scene_count && mixed_types * 8 > scene_count && empty_sets > 0);
    free(pairs);
    free(want.pairs);
    free(among.pairs);
    free(scene);
}

// Larger scenes use more levels of the tree, split sorts and several tasks. Brute force goes along x here.
static int compare_rows(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

TEST(large_scenes_agree_with_a_sweep)
{
    size_t count = 60000;
    float(*rows)[6] = malloc(count * sizeof *rows);
    imp_Context *context;
    if (!CHECK(rows) ||
        !CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 3}, &context), IMP_STATUS_OK))
        return;
    for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            // A crowd in a corner as well, so that cells are sorted by themselves.
            double center = i % 3 ? test_random_between(0, 60) : test_random_between(0, 1e-3 * (1 + k));
            double half = i % 3 ? test_random_between(0, 1) : 1e-5;
            rows[i][k] = (float)(center - half);
            rows[i][k + 3] = (float)(center + half);
        }
    }
    qsort(rows, count, sizeof *rows, compare_rows);
    uint64_t want = 0, found;
    for (size_t a = 0; a < count; ++a)
        for (size_t b = a + 1; b < count && rows[b][0] <= rows[a][3]; ++b)
            want += rows[a][1] <= rows[b][4] && rows[b][1] <= rows[a][4] && rows[a][2] <= rows[b][5] &&
                    rows[b][2] <= rows[a][5];
    imp_IndexPair *pairs = malloc((want + 1) * sizeof *pairs);
    CHECK(want > count / 10);
    if (CHECK(pairs) &&
        CHECK_INT(imp_pairs_find(context, &(imp_BoxArray){rows[0], NULL, count}, pairs, want, &found),
                  IMP_STATUS_OK)) {
        CHECK_INT((int64_t)found, (int64_t)want);
        for (size_t i = 0; i < found; ++i) {
            const float *p = rows[pairs[i].a], *q = rows[pairs[i].b];
            bool ascends = i == 0 || pairs[i - 1].a < pairs[i].a ||
                           (pairs[i - 1].a == pairs[i].a && pairs[i - 1].b < pairs[i].b);
            if (!CHECK(ascends && pairs[i].a < pairs[i].b && p[0] <= q[3] && q[0] <= p[3] && p[1] <= q[4] &&
                       q[1] <= p[4] && p[2] <= q[5] && q[2] <= p[5]))
                break;
        }
    }
    imp_context_destroy(context);
    free(pairs);
    free(rows);
}
