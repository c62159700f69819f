/// A query whose first poses have no touching faces at all added 0 to a null pointer, which C leaves
/// undefined and clang's sanitizer refuses.
#include "world_fixture.h"

TEST(a_query_that_finds_nothing_first_is_well_defined)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = cube(context, 1);
    imp_Query *query = NULL;
    imp_Pose poses[2] = {{.translation = {5, 0, 0}}, {.translation = {0, 7, 0}}};
    imp_MeshPair pair = {.a = mesh, .b = mesh, .poses_b = poses, .pose_count = 2};
    imp_FacePair pairs[4];
    size_t ends[2] = {9, 9}, count = 9;
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_face_pairs(query, &pair, pairs, 4, ends, &count), IMP_STATUS_OK);
    CHECK(count == 0 && ends[0] == 0 && ends[1] == 0);
    imp_query_destroy(query);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
