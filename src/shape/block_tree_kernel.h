// The body of impi_block_tree_visit_*, compiled once per instruction set; VISIT is the function's name.
// Intrinsics, as in object/face_boxes_kernel.h, because bits out of comparisons are what compilers do not see
// by themselves.
#include "shape/block_tree.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

// Bit i tells whether lane i shares a point with the box.
#if defined(__AVX512F__)

static inline uint32_t meeting_lanes(const impi_BoxLanes *group, const imp_Box *box)
{
    __mmask8 meets =
        _mm512_cmp_pd_mask(_mm512_load_pd(group->min[0]), _mm512_set1_pd(box->max.x), _CMP_LE_OQ);
    meets =
        _mm512_mask_cmp_pd_mask(meets, _mm512_load_pd(group->max[0]), _mm512_set1_pd(box->min.x), _CMP_GE_OQ);
    meets =
        _mm512_mask_cmp_pd_mask(meets, _mm512_load_pd(group->min[1]), _mm512_set1_pd(box->max.y), _CMP_LE_OQ);
    meets =
        _mm512_mask_cmp_pd_mask(meets, _mm512_load_pd(group->max[1]), _mm512_set1_pd(box->min.y), _CMP_GE_OQ);
    meets =
        _mm512_mask_cmp_pd_mask(meets, _mm512_load_pd(group->min[2]), _mm512_set1_pd(box->max.z), _CMP_LE_OQ);
    return _mm512_mask_cmp_pd_mask(meets, _mm512_load_pd(group->max[2]), _mm512_set1_pd(box->min.z),
                                   _CMP_GE_OQ);
}

#elif defined(__AVX2__)

static inline __m256d meets_axis(const double *min, const double *max, double box_min, double box_max)
{
    return _mm256_and_pd(_mm256_cmp_pd(_mm256_load_pd(min), _mm256_set1_pd(box_max), _CMP_LE_OQ),
                         _mm256_cmp_pd(_mm256_load_pd(max), _mm256_set1_pd(box_min), _CMP_GE_OQ));
}

static inline uint32_t meeting_lanes(const impi_BoxLanes *group, const imp_Box *box)
{
    uint32_t lanes = 0;
    for (unsigned first = 0; first < IMPI_GROUP_SIZE; first += 4) {
        __m256d meets = meets_axis(&group->min[0][first], &group->max[0][first], box->min.x, box->max.x);
        meets = _mm256_and_pd(
            meets, meets_axis(&group->min[1][first], &group->max[1][first], box->min.y, box->max.y));
        meets = _mm256_and_pd(
            meets, meets_axis(&group->min[2][first], &group->max[2][first], box->min.z, box->max.z));
        lanes |= (uint32_t)_mm256_movemask_pd(meets) << first;
    }
    return lanes;
}

#else

static inline uint32_t meeting_lanes(const impi_BoxLanes *group, const imp_Box *box)
{
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
        bool meets = (group->min[0][lane] <= box->max.x) & (box->min.x <= group->max[0][lane]) &
                     (group->min[1][lane] <= box->max.y) & (box->min.y <= group->max[1][lane]) &
                     (group->min[2][lane] <= box->max.z) & (box->min.z <= group->max[2][lane]);
        lanes |= (uint32_t)meets << lane;
    }
    return lanes;
}

#endif

static bool visit_group(const impi_BlockTree *tree, unsigned level, size_t group, const imp_Box *box,
                        impi_BlockFoundFn found, void *argument)
{
    const impi_BoxLanes *boxes = &tree->levels[level][group];
    for (uint32_t lanes = meeting_lanes(boxes, box); lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        size_t child = group * IMPI_GROUP_SIZE + lane;
        if (level > 0) {
            if (!visit_group(tree, level - 1, child, box, found, argument))
                return false;
        } else {
            imp_Box block_box = impi_box_lanes_load(boxes, lane);
            if (!found((uint32_t)child, &block_box, argument))
                return false;
        }
    }
    return true;
}

bool VISIT(const impi_BlockTree *tree, const imp_Box *box, impi_BlockFoundFn found, void *argument)
{
    return visit_group(tree, tree->level_count - 1, 0, box, found, argument);
}
