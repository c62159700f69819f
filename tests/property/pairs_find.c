// imp_pairs_find and imp_pairs_find_between beside brute force: random scenes of all kinds, float and double,
// 1, 2 and 5 threads, every instruction set.
#include "base/context.h"
#include "broad/linear_octree.h"
#include "broad/linear_octree_variants.h"
#include "broad/pair_store.h"
#include "harness.h"

#include <impinge/broad.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BOXES 2000

typedef enum Kind {
    CUBES,
    POINTS,
    FLAT,
    NEEDLES,
    SIZES_1E9, // the largest is 1e9 times the smallest
    IDENTICAL,
    LINE,        // touching face to face
    CORNER_GRID, // touching at corners, edges and faces
    SIGNED_ZEROS,
    SUBNORMAL,
    HUGE_RANGE,
    FAR_AWAY, // small boxes far from the origin
    OUTLIERS,
    CLUSTERS,
    ONE_LARGE, // a floor under everything
    KIND_COUNT,
} Kind;

typedef struct Scene {
    Kind kind;
    bool is_float;
    size_t count;
    double rows[MAX_BOXES][6]; // floats when is_float
    float float_rows[MAX_BOXES][6];
} Scene;

static void set_box(double row[6], const double center[3], const double half[3])
{
    for (int k = 0; k < 3; ++k) {
        row[k] = center[k] - half[k];
        row[k + 3] = center[k] + half[k];
    }
}

static double random_power(double low, double high)
{
    return exp2(test_random_between(log2(low), log2(high)));
}

static double random_sign(void)
{
    return test_random() & 1 ? 1 : -1;
}

static void make_row(const Scene *scene, size_t i, double world, double row[6])
{
    double center[3], half[3], range = scene->is_float ? 1e30 : 1e300;
    for (int k = 0; k < 3; ++k) {
        center[k] = test_random_between(0, world);
        half[k] = 0.5;
    }
    switch (scene->kind) {
    case POINTS:
        for (int k = 0; k < 3; ++k) {
            center[k] = (double)test_random_below(1 + (uint32_t)world);
            half[k] = 0;
        }
        break;
    case FLAT:
        half[test_random_below(3)] = 0;
        half[test_random_below(3)] *= 4;
        break;
    case NEEDLES:
        half[0] = half[1] = half[2] = 0.01;
        half[test_random_below(3)] = world;
        break;
    case SIZES_1E9:
        half[0] = half[1] = half[2] = random_power(1e-8, 1e1);
        break;
    case IDENTICAL:
        memset(center, 0, sizeof center);
        break;
    case LINE:
        center[0] = (double)i;
        center[1] = center[2] = 0;
        break;
    case CORNER_GRID:
        for (int k = 0; k < 3; ++k)
            center[k] = (double)test_random_below(1 + (uint32_t)world);
        break;
    case SIGNED_ZEROS:
        for (int k = 0; k < 3; ++k) {
            row[k] = test_random_below(3) ? -1 : copysign(0.0, random_sign());
            row[k + 3] = test_random_below(3) ? copysign(0.0, random_sign()) : 1;
        }
        return;
    case SUBNORMAL:
        for (int k = 0; k < 3; ++k) {
            double unit = scene->is_float ? 1e-45 : 5e-324;
            row[k] = (double)test_random_below(50) * unit;
            row[k + 3] = row[k] + (double)test_random_below(8) * unit;
        }
        return;
    case HUGE_RANGE:
        for (int k = 0; k < 3; ++k) {
            center[k] = random_sign() * random_power(1 / range, range / 4);
            half[k] = fabs(center[k]) * test_random_between(0.5, 3);
        }
        break;
    case FAR_AWAY:
        for (int k = 0; k < 3; ++k)
            center[k] += scene->is_float ? 1e6 : 1e12;
        break;
    case OUTLIERS:
        if (test_random_below(100) == 0)
            center[test_random_below(3)] = random_sign() * range;
        break;
    case CLUSTERS:
        for (int k = 0; k < 3; ++k)
            center[k] = center[k] * 0.2 + 1e4 * (double)(i % 7) * (double)(k + 1);
        break;
    case ONE_LARGE:
        if (i == 0)
            half[0] = half[1] = half[2] = 2 * world;
        break;
    default:
        break;
    }
    set_box(row, center, half);
}

static void round_rows(Scene *scene)
{
    for (size_t i = 0; i < 6 * scene->count; ++i) {
        volatile float narrow =
            (float)scene->rows[i / 6][i % 6]; // gcc 12 at -O3 leaves out roundings to and fro
        scene->float_rows[i / 6][i % 6] = narrow;
        if (scene->is_float)
            scene->rows[i / 6][i % 6] = (double)narrow;
    }
}

static void make_scene(Scene *scene, Kind kind, bool is_float)
{
    scene->kind = kind;
    scene->is_float = is_float;
    // All sizes from 0 to the largest, small ones more often.
    scene->count = test_random_below(20) ? 2 + test_random_below(1 + test_random_below(MAX_BOXES - 2))
                                         : test_random_below(2);
    double world = test_random_between(0.5, 3) * cbrt((double)scene->count);
    for (size_t i = 0; i < scene->count; ++i)
        make_row(scene, i, world, scene->rows[i]);
    round_rows(scene);
    for (size_t i = scene->count; i-- > 1;) { // numbers say nothing about places
        size_t k = test_random_below((uint32_t)i + 1);
        double row[6];
        float float_row[6];
        memcpy(row, scene->rows[i], sizeof row);
        memcpy(scene->rows[i], scene->rows[k], sizeof row);
        memcpy(scene->rows[k], row, sizeof row);
        memcpy(float_row, scene->float_rows[i], sizeof float_row);
        memcpy(scene->float_rows[i], scene->float_rows[k], sizeof float_row);
        memcpy(scene->float_rows[k], float_row, sizeof float_row);
    }
}

static bool rows_overlap(const double p[6], const double q[6])
{
    for (int k = 0; k < 3; ++k)
        if (p[k] > q[k + 3] || q[k] > p[k + 3])
            return false;
    return true;
}

typedef struct PairList {
    imp_IndexPair *pairs;
    size_t count;
} PairList;

static void find_by_brute_force(const Scene *scene, PairList *list)
{
    list->count = 0;
    for (uint32_t a = 0; a < scene->count; ++a)
        for (uint32_t b = a + 1; b < scene->count; ++b)
            if (rows_overlap(scene->rows[a], scene->rows[b]))
                list->pairs[list->count++] = (imp_IndexPair){a, b};
}

static imp_BoxArray box_array(const Scene *scene)
{
    return (imp_BoxArray){scene->is_float ? scene->float_rows[0] : NULL,
                          scene->is_float ? NULL : scene->rows[0], scene->count};
}

static bool check_scene(imp_Context *context, const Scene *scene, const PairList *want, imp_IndexPair *pairs)
{
    uint64_t count = UINT64_MAX, counted = UINT64_MAX;
    imp_BoxArray boxes = box_array(scene);
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

static Split split_scene(const Scene *scene)
{
    Split split = {.count = test_random_below((uint32_t)scene->count + 1)};
    split.first = split.second = box_array(scene);
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
static bool check_kernel(imp_Context *context, const impi_OctreeKernel *kernel, const Scene *scene,
                         size_t split, const PairList *want, imp_IndexPair *pairs)
{
    impi_Octree octree;
    impi_PairStore store;
    bool exact;
    size_t room = (scene->count + IMPI_LANES - 1) / IMPI_LANES * IMPI_LANES;
    impi_arena_reset(&context->scratch);
    impi_SearchWork work = {&context->executor, kernel, &context->scratch, NULL, NULL};
    impi_BoxRows rows = {box_array(scene).float_boxes, box_array(scene).boxes, scene->count, {0, 0, 0}, 1};
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

static bool check_all_kernels(imp_Context *context, const Scene *scene, size_t split, const PairList *want,
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
    size_t capacity = (size_t)MAX_BOXES * (MAX_BOXES - 1) / 2;
    uint64_t scenes_with_pairs[KIND_COUNT] = {0}, scene_count = test_count(200);
    Scene *scene = malloc(sizeof *scene);
    PairList want = {malloc(capacity * sizeof *want.pairs), 0};
    imp_IndexPair *pairs = malloc(capacity * sizeof *pairs);
    imp_Context *contexts[3];
    bool fine = CHECK(scene && want.pairs && pairs);
    for (int t = 0; t < 3; ++t)
        fine &=
            CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_counts[t]}, &contexts[t]),
                      IMP_STATUS_OK);
    for (uint64_t i = 0; fine && i < scene_count; ++i) {
        make_scene(scene, (Kind)(i % KIND_COUNT), i / KIND_COUNT & 1);
        find_by_brute_force(scene, &want);
        scenes_with_pairs[scene->kind] += want.count > 0;
        for (int t = 0; fine && t < 3; ++t)
            fine = check_scene(contexts[t], scene, &want, pairs);
        fine = fine && (scene->count == 0 || check_all_kernels(contexts[i % 3], scene, 0, &want, pairs));
    }
    for (int kind = 0; fine && scene_count >= 450 && kind < KIND_COUNT; ++kind)
        if (!CHECK(scenes_with_pairs[kind] * 4 > scene_count / KIND_COUNT))
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
    size_t capacity = (size_t)MAX_BOXES * (MAX_BOXES - 1) / 2;
    uint64_t with_pairs = 0, mixed_types = 0, empty_sets = 0, scene_count = test_count(200);
    Scene *scene = malloc(sizeof *scene);
    PairList among = {malloc(capacity * sizeof *among.pairs), 0};
    PairList want = {malloc(capacity * sizeof *want.pairs), 0};
    imp_IndexPair *pairs = malloc(capacity * sizeof *pairs);
    bool fine = CHECK(scene && among.pairs && want.pairs && pairs);
    for (uint64_t i = 0; fine && i < scene_count; ++i) {
        imp_Context *context = NULL;
        imp_ContextDef def = {.thread_count = thread_counts[i % 3]};
        make_scene(scene, (Kind)(i % KIND_COUNT), i / KIND_COUNT & 1);
        Split split = split_scene(scene);
        find_by_brute_force(scene, &among);
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
