/// Every public function, with the statuses that programs must have seen it return after a while, and those
/// that it may return besides. Others are failures. tests/structure/chaos_functions.sh compares the table
/// with the headers. Functions without a status have OK alone: they must have been called.
#ifndef IMPINGE_TESTS_CHAOS_FUNCTIONS_H
#define IMPINGE_TESTS_CHAOS_FUNCTIONS_H

#include <impinge/base.h>

#define STATUS_COUNT ((int)IMP_STATUS_FORKED + 1)

#define STATUS_BIT(name) (1u << IMP_STATUS_##name)

// Names of the columns, for this table alone.
#define OK_      STATUS_BIT(OK)
#define MEMORY_  STATUS_BIT(OUT_OF_MEMORY)
#define ARG_     STATUS_BIT(BAD_ARGUMENT)
#define NUMBER_  STATUS_BIT(BAD_NUMBER)
#define INDEX_   STATUS_BIT(BAD_INDEX)
#define SHAPE_   STATUS_BIT(BAD_SHAPE)
#define SHORT_   STATUS_BIT(BUFFER_SHORT)
#define LARGE_   STATUS_BIT(TOO_LARGE)
#define FILE_    STATUS_BIT(BAD_FILE)
#define IO_      STATUS_BIT(IO)
#define LACKING_ STATUS_BIT(UNSUPPORTED)
#define CANCEL_  STATUS_BIT(CANCELLED)
#define TIME_    STATUS_BIT(OUT_OF_TIME)
#define WATCHED_ (CANCEL_ | TIME_)

#define CHAOS_FUNCTIONS(F)                                                                                   \
    F(imp_version, OK_, 0)                                                                                   \
    F(imp_status_name, OK_, 0)                                                                               \
    F(imp_context_create, OK_ | MEMORY_ | ARG_, 0)                                                           \
    F(imp_context_destroy, OK_, 0)                                                                           \
    F(imp_context_get_error, OK_, 0)                                                                         \
    F(imp_context_get_thread_count, OK_, 0)                                                                  \
    F(imp_context_watch, OK_ | ARG_, 0)                                                                      \
    F(imp_cancel_create, OK_ | MEMORY_ | ARG_, 0)                                                            \
    F(imp_cancel_destroy, OK_, 0)                                                                            \
    F(imp_cancel_request, OK_, 0)                                                                            \
    F(imp_cancel_reset, OK_, 0)                                                                              \
    F(imp_cancel_is_requested, OK_, 0)                                                                       \
    F(imp_pose_transform, OK_ | ARG_ | NUMBER_, 0)                                                           \
    F(imp_transform_apply, OK_, 0)                                                                           \
    F(imp_pose_apply, OK_ | ARG_ | NUMBER_, 0)                                                               \
    F(imp_pose_compose, OK_ | ARG_ | NUMBER_, 0)                                                             \
    F(imp_pose_inverse, OK_ | ARG_ | NUMBER_, 0)                                                             \
    F(imp_orient2d, OK_ | ARG_ | NUMBER_, 0)                                                                 \
    F(imp_orient3d, OK_ | ARG_ | NUMBER_, 0)                                                                 \
    F(imp_triangles_touch, OK_ | ARG_ | NUMBER_, 0)                                                          \
    F(imp_triangle_pairs_touch, OK_ | MEMORY_ | ARG_ | NUMBER_, 0)                                           \
    F(imp_segment_touches_triangle, OK_ | ARG_ | NUMBER_, 0)                                                 \
    F(imp_triangle_touches_box, OK_ | ARG_ | NUMBER_, 0)                                                     \
    F(imp_triangles_within, OK_ | ARG_ | NUMBER_, 0)                                                         \
    F(imp_triangles_distance, OK_ | ARG_ | NUMBER_, 0)                                                       \
    F(imp_sweep_vertex_faces, OK_ | ARG_ | NUMBER_, MEMORY_ | WATCHED_)                                      \
    F(imp_sweep_edges, OK_ | ARG_ | NUMBER_, MEMORY_ | WATCHED_)                                             \
    F(imp_sweep_triangles, OK_ | ARG_ | NUMBER_, MEMORY_ | WATCHED_)                                         \
    F(imp_mesh_create, OK_ | MEMORY_ | ARG_ | NUMBER_ | INDEX_ | SHAPE_ | LARGE_, 0)                         \
    F(imp_mesh_transform, OK_ | MEMORY_ | ARG_ | NUMBER_, WATCHED_)                                          \
    F(imp_mesh_retain, OK_, 0)                                                                               \
    F(imp_mesh_release, OK_, 0)                                                                              \
    F(imp_mesh_get_vertex_count, OK_, 0)                                                                     \
    F(imp_mesh_get_triangle_count, OK_, 0)                                                                   \
    F(imp_mesh_get_vertices, OK_, 0)                                                                         \
    F(imp_mesh_get_indices, OK_, 0)                                                                          \
    F(imp_mesh_get_bounds, OK_, 0)                                                                           \
    F(imp_mesh_get_triangle, OK_ | ARG_ | INDEX_, 0)                                                         \
    F(imp_mesh_get_remark, OK_, 0)                                                                           \
    F(imp_mesh_analyse, OK_ | MEMORY_ | ARG_, WATCHED_)                                                      \
    F(imp_mesh_is_closed, OK_ | ARG_, MEMORY_ | WATCHED_)                                                    \
    F(imp_mesh_adjacency, OK_ | ARG_, MEMORY_ | WATCHED_)                                                    \
    F(imp_mesh_locate_points, OK_ | ARG_ | NUMBER_ | SHAPE_, MEMORY_ | WATCHED_)                             \
    F(imp_mesh_interior_points, OK_ | ARG_ | SHAPE_, SHORT_ | MEMORY_ | WATCHED_)                            \
    F(imp_mesh_self_pairs, OK_ | MEMORY_ | ARG_ | SHORT_, WATCHED_)                                          \
    F(imp_mesh_load, OK_ | MEMORY_ | ARG_ | FILE_ | IO_ | LACKING_ | LARGE_, SHAPE_ | WATCHED_)              \
    F(imp_mesh_load_with, OK_ | MEMORY_ | ARG_ | FILE_ | IO_ | LACKING_,                                     \
      SHAPE_ | LARGE_ | NUMBER_ | WATCHED_)                                                                  \
    F(imp_mesh_load_memory, OK_ | MEMORY_ | ARG_ | FILE_ | LACKING_, SHAPE_ | LARGE_ | WATCHED_)             \
    F(imp_mesh_save, OK_ | ARG_ | IO_ | LACKING_, MEMORY_)                                                   \
    F(imp_scene_load, OK_ | MEMORY_ | ARG_ | FILE_ | IO_ | LACKING_ | LARGE_, SHAPE_ | WATCHED_)             \
    F(imp_scene_load_with, OK_ | MEMORY_ | ARG_ | FILE_ | IO_ | LACKING_,                                    \
      SHAPE_ | LARGE_ | NUMBER_ | WATCHED_)                                                                  \
    F(imp_scene_destroy, OK_, 0)                                                                             \
    F(imp_scene_get_body_count, OK_, 0)                                                                      \
    F(imp_scene_get_body, OK_ | ARG_ | INDEX_, 0)                                                            \
    F(imp_scene_get_duration, OK_, 0)                                                                        \
    F(imp_scene_get_remark, OK_, 0)                                                                          \
    F(imp_scene_sample, OK_ | ARG_ | INDEX_ | NUMBER_, 0)                                                    \
    F(imp_convex_create, OK_ | MEMORY_ | ARG_ | NUMBER_ | SHAPE_, WATCHED_)                                  \
    F(imp_convex_create_from_mesh, OK_ | MEMORY_ | ARG_ | SHAPE_, WATCHED_)                                  \
    F(imp_convex_retain, OK_, 0)                                                                             \
    F(imp_convex_release, OK_, 0)                                                                            \
    F(imp_convex_get_mesh, OK_, 0)                                                                           \
    F(imp_convex_test, OK_ | ARG_ | NUMBER_, MEMORY_)                                                        \
    F(imp_certificate_check, OK_ | ARG_ | NUMBER_, MEMORY_)                                                  \
    F(imp_convex_distance, OK_ | ARG_ | NUMBER_, MEMORY_)                                                    \
    F(imp_sphere_tree_create, OK_ | MEMORY_ | ARG_ | NUMBER_ | SHAPE_ | LARGE_, LACKING_ | WATCHED_)         \
    F(imp_sphere_tree_create_from_spheres, OK_ | MEMORY_ | ARG_ | NUMBER_ | SHAPE_, WATCHED_)                \
    F(imp_sphere_tree_retain, OK_, 0)                                                                        \
    F(imp_sphere_tree_release, OK_, 0)                                                                       \
    F(imp_sphere_tree_get_mesh, OK_, 0)                                                                      \
    F(imp_sphere_tree_get_cover, OK_, 0)                                                                     \
    F(imp_sphere_tree_is_solid, OK_, 0)                                                                      \
    F(imp_sphere_tree_get_spheres, OK_, 0)                                                                   \
    F(imp_sphere_tree_get_level_count, OK_, 0)                                                               \
    F(imp_sphere_tree_get_level, OK_ | ARG_ | INDEX_, 0)                                                     \
    F(imp_octree_grid_around, OK_ | ARG_, LARGE_)                                                            \
    F(imp_octree_create, OK_ | MEMORY_ | ARG_ | NUMBER_ | SHAPE_, LARGE_ | WATCHED_)                         \
    F(imp_octree_create_from_voxels, OK_ | MEMORY_ | ARG_ | NUMBER_ | SHAPE_, WATCHED_)                      \
    F(imp_octree_create_from_df, OK_ | MEMORY_ | ARG_ | NUMBER_ | FILE_, WATCHED_)                           \
    F(imp_octree_retain, OK_, 0)                                                                             \
    F(imp_octree_release, OK_, 0)                                                                            \
    F(imp_octree_get_info, OK_ | ARG_, 0)                                                                    \
    F(imp_octree_get_colour, OK_ | ARG_ | INDEX_, 0)                                                         \
    F(imp_octree_locate_points, OK_ | ARG_ | NUMBER_, 0)                                                     \
    F(imp_octree_get_faces, OK_ | ARG_ | INDEX_, 0)                                                          \
    F(imp_octree_get_voxels, OK_ | ARG_ | SHAPE_, 0)                                                         \
    F(imp_octree_get_df, OK_ | ARG_ | SHORT_, 0)                                                             \
    F(imp_octree_get_surface, OK_ | MEMORY_ | ARG_ | SHAPE_, WATCHED_)                                       \
    F(imp_octree_combine, OK_ | MEMORY_ | ARG_, WATCHED_)                                                    \
    F(imp_octree_complement, OK_ | MEMORY_ | ARG_, WATCHED_)                                                 \
    F(imp_octree_equal, OK_ | ARG_, 0)                                                                       \
    F(imp_octree_get_cubes, OK_ | ARG_ | SHORT_, MEMORY_ | WATCHED_)                                         \
    F(imp_octree_move, OK_ | MEMORY_ | ARG_ | NUMBER_, WATCHED_)                                             \
    F(imp_octree_save, OK_ | ARG_ | IO_ | LACKING_, MEMORY_ | SHAPE_ | WATCHED_)                             \
    F(imp_octree_load, OK_ | MEMORY_ | ARG_ | FILE_ | IO_ | LACKING_, LARGE_ | SHAPE_ | NUMBER_ | WATCHED_)  \
    F(imp_pairs_find, OK_ | MEMORY_ | ARG_ | NUMBER_ | SHORT_ | LARGE_, WATCHED_)                            \
    F(imp_pairs_list, OK_ | MEMORY_ | ARG_ | NUMBER_ | LARGE_, WATCHED_)                                     \
    F(imp_pairs_find_between, OK_ | MEMORY_ | ARG_ | NUMBER_ | SHORT_ | LARGE_, WATCHED_)                    \
    F(imp_pairs_list_between, OK_ | MEMORY_ | ARG_ | NUMBER_ | LARGE_, WATCHED_)                             \
    F(imp_pairs_measure, OK_ | ARG_, 0)                                                                      \
    F(imp_broad_create, OK_ | MEMORY_ | ARG_ | LARGE_, 0)                                                    \
    F(imp_broad_destroy, OK_, 0)                                                                             \
    F(imp_broad_add, OK_ | MEMORY_ | ARG_ | NUMBER_, 0)                                                      \
    F(imp_broad_add_many, OK_ | MEMORY_ | ARG_ | NUMBER_, 0)                                                 \
    F(imp_broad_move, OK_ | ARG_ | NUMBER_ | INDEX_, 0)                                                      \
    F(imp_broad_move_many, OK_ | ARG_ | NUMBER_ | INDEX_, 0)                                                 \
    F(imp_broad_set_filter, OK_ | ARG_ | INDEX_, MEMORY_)                                                    \
    F(imp_broad_remove, OK_ | ARG_ | INDEX_, 0)                                                              \
    F(imp_broad_is_valid, OK_, 0)                                                                            \
    F(imp_broad_get_count, OK_, 0)                                                                           \
    F(imp_broad_update, OK_ | MEMORY_ | ARG_, 0)                                                             \
    F(imp_world_create, OK_ | MEMORY_ | ARG_, 0)                                                             \
    F(imp_world_destroy, OK_, 0)                                                                             \
    F(imp_world_add_body, OK_ | MEMORY_ | ARG_ | NUMBER_, 0)                                                 \
    F(imp_world_remove_body, OK_ | ARG_ | INDEX_, 0)                                                         \
    F(imp_world_get_body_count, OK_, 0)                                                                      \
    F(imp_world_set_poses, OK_ | ARG_ | NUMBER_ | INDEX_, MEMORY_)                                           \
    F(imp_world_ignore_pair, OK_ | ARG_ | INDEX_, MEMORY_)                                                   \
    F(imp_world_set_pair_filter, OK_ | ARG_, 0)                                                              \
    F(imp_world_detect, OK_ | MEMORY_ | ARG_ | CANCEL_, 0)                                                   \
    F(imp_world_refine, OK_ | ARG_, MEMORY_ | CANCEL_)                                                       \
    F(imp_world_distance, OK_ | ARG_ | INDEX_, MEMORY_ | CANCEL_)                                            \
    F(imp_world_clearance, OK_ | MEMORY_ | ARG_, CANCEL_)                                                    \
    F(imp_world_sweep, OK_ | MEMORY_ | ARG_, CANCEL_)                                                        \
    F(imp_world_advance, OK_ | ARG_, MEMORY_ | SHAPE_)                                                       \
    F(imp_world_detect_configurations, OK_ | MEMORY_ | ARG_ | INDEX_ | NUMBER_, WATCHED_)                    \
    F(imp_body_is_valid, OK_, 0)                                                                             \
    F(imp_body_set_pose, OK_ | ARG_ | NUMBER_ | INDEX_, 0)                                                   \
    F(imp_body_get_pose, OK_ | ARG_ | INDEX_, 0)                                                             \
    F(imp_body_self_pairs, OK_ | MEMORY_ | ARG_ | INDEX_, WATCHED_)                                          \
    F(imp_body_set_vertices, OK_ | MEMORY_ | ARG_ | NUMBER_ | INDEX_ | SHAPE_, 0)                            \
    F(imp_body_set_target, OK_ | ARG_ | NUMBER_ | INDEX_ | SHAPE_, MEMORY_)                                  \
    F(imp_body_set_filter, OK_ | ARG_ | INDEX_, MEMORY_)                                                     \
    F(imp_body_set_user_data, OK_ | ARG_ | INDEX_, 0)                                                        \
    F(imp_body_get_user_data, OK_ | ARG_ | INDEX_, 0)                                                        \
    F(imp_body_get_mesh, OK_ | ARG_ | INDEX_, 0)                                                             \
    F(imp_body_get_convex, OK_ | ARG_ | INDEX_, 0)                                                           \
    F(imp_method_name, OK_, 0)                                                                               \
    F(imp_query_create, OK_ | MEMORY_ | ARG_, 0)                                                             \
    F(imp_query_destroy, OK_, 0)                                                                             \
    F(imp_query_get_error, OK_, 0)                                                                           \
    F(imp_meshes_relations, OK_ | MEMORY_ | ARG_ | NUMBER_, 0)                                               \
    F(imp_meshes_touch, OK_ | MEMORY_ | ARG_ | NUMBER_, 0)                                                   \
    F(imp_meshes_face_pairs, OK_ | MEMORY_ | ARG_ | NUMBER_ | SHORT_, 0)                                     \
    F(imp_meshes_distance, OK_ | ARG_ | NUMBER_, MEMORY_ | CANCEL_)

typedef enum Function {
#define CHAOS_FUNCTION_NAME(name, must, may) FN_##name,
    CHAOS_FUNCTIONS(CHAOS_FUNCTION_NAME)
#undef CHAOS_FUNCTION_NAME
        FUNCTION_COUNT,
} Function;

#endif
