// Gray cells with eight white children became white when texts and files were read, which are to stay as they
// are.
#include "octree_arrays.h"

#include <impinge/impinge.h>

TEST(gray_cells_without_black_stay_gray)
{
    static const char *const texts[] = {"(WWWWWWWW", "(W(WWWWWWWWWWBWWW", "((WWWWWWWWBBBBBBB"};
    imp_Context *context = NULL;
    imp_OctreeGrid grid = {.voxel = 1, .level = 3};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (int i = 0; i < 3; ++i) {
        imp_Octree *octree = NULL, *complement = NULL;
        imp_OctreeInfo info;
        size_t length;
        CHECK_INT(imp_octree_create_from_df(context, &grid, texts[i], strlen(texts[i]), &octree),
                  IMP_STATUS_OK);
        char *text = df_text_of(context, octree, &length);
        CHECK_TEXT(text, texts[i]);
        CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
        CHECK(!info.is_condensed);
        CHECK_INT(info.gray_count[0] + info.gray_count[1], i == 0 ? 1 : 2);
        free(text);
        // Whatever is made of them is condensed.
        CHECK_INT(imp_octree_complement(context, octree, &complement), IMP_STATUS_OK);
        CHECK_INT(imp_octree_get_info(complement, &info), IMP_STATUS_OK);
        CHECK(info.is_condensed);
        imp_octree_release(octree);
        imp_octree_release(complement);
    }
    imp_context_destroy(context);
}
