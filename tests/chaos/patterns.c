#include "patterns.h"

#include "gltf_files.h"
#include "scenes/shapes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    imp_Context *context;
    char folder[MAX_TEST_PATH];
    imp_Mesh *meshes[PATTERN_COUNT];
    LargePattern large, tangle;
    GltfPattern files[GLTF_PATTERNS];
} patterns;

const imp_Mesh *pattern_mesh(Pattern pattern)
{
    return patterns.meshes[pattern];
}

const LargePattern *pattern_large(void)
{
    return &patterns.large;
}

const LargePattern *pattern_tangle(void)
{
    return &patterns.tangle;
}

const GltfPattern *pattern_gltf(unsigned number)
{
    return &patterns.files[number];
}

// The room without its last two triangles.
static imp_Mesh *make_open_room(imp_Context *context, const imp_Mesh *room)
{
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = &imp_mesh_get_vertices(room)->x,
                       .vertex_count = imp_mesh_get_vertex_count(room),
                       .indices = imp_mesh_get_indices(room),
                       .triangle_count = imp_mesh_get_triangle_count(room) - 2};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

static imp_Mesh *make_sheet(imp_Context *context)
{
    static const double corners[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0.25};
    static const uint32_t faces[] = {0, 1, 2, 0, 2, 3};
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = corners, .vertex_count = 4, .indices = faces, .triangle_count = 2};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

// A sphere is convex up to rounding; the hull of its vertices is.
static imp_Mesh *make_round_hull(imp_Context *context)
{
    imp_Mesh *sphere = NULL, *hull = NULL;
    imp_Convex *convex = NULL;
    CHECK_INT(scene_sphere(context, 7, 4, 1, &sphere), IMP_STATUS_OK);
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(sphere)->x,
                         .point_count = imp_mesh_get_vertex_count(sphere)};
    if (CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK))
        hull = imp_mesh_retain(imp_convex_get_mesh(convex));
    imp_convex_release(convex);
    imp_mesh_release(sphere);
    return hull;
}

static void make_meshes(imp_Context *context, imp_Mesh **meshes)
{
    const imp_Vec3 low = {-1, -1, -1}, high = {1, 1, 1};
    imp_Mesh *small = NULL, *moved = NULL;
    CHECK_INT(scene_box(context, low, high, &meshes[PATTERN_BOX]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 3, 2, 1, &meshes[PATTERN_TETRAHEDRON]), IMP_STATUS_OK);
    meshes[PATTERN_SPHERE] = make_round_hull(context);
    CHECK_INT(scene_sphere(context, 3, 2, 0.125, &meshes[PATTERN_CRUMB]), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, meshes[PATTERN_BOX], 2.5, (imp_Vec3){0, 0, 0}, &meshes[PATTERN_ROOM]),
              IMP_STATUS_OK);
    meshes[PATTERN_OPEN_ROOM] = make_open_room(context, meshes[PATTERN_ROOM]);
    CHECK_INT(scene_torus(context, 6, 4, 1, 0.3, &meshes[PATTERN_TORUS]), IMP_STATUS_OK);
    CHECK_INT(scene_hollow_sphere(context, 6, 4, 1.5, 1, &meshes[PATTERN_HOLLOW]), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, meshes[PATTERN_BOX], 0.25, (imp_Vec3){0, 0, 0}, &small), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, small, 1, (imp_Vec3){1.5, 0, 0}, &moved), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, small, moved, &meshes[PATTERN_TWO_BOXES]), IMP_STATUS_OK);
    meshes[PATTERN_SHEET] = make_sheet(context);
    CHECK_INT(scene_soup(context, 15, 0.5, 5, &meshes[PATTERN_SOUP]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 12, 3, 9, &meshes[PATTERN_GRID_SOUP]), IMP_STATUS_OK);
    CHECK_INT(scene_flip(context, meshes[PATTERN_BOX], &meshes[PATTERN_INSIDE_OUT]), IMP_STATUS_OK);
    imp_mesh_release(small);
    imp_mesh_release(moved);
}

static imp_Mesh *make_large(imp_Context *context)
{
    imp_Mesh *ball = NULL, *ring = NULL, *both = NULL;
    CHECK_INT(scene_sphere(context, 16, 9, 1, &ball), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 24, 8, 1, 0.3, &ring), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, ball, ring, &both), IMP_STATUS_OK);
    imp_mesh_release(ball);
    imp_mesh_release(ring);
    return both;
}

static void find_pairs(LargePattern *pattern)
{
    CHECK_INT(imp_mesh_self_pairs(patterns.context, pattern->mesh, pattern->pairs, MAX_SELF_PAIRS,
                                  &pattern->pair_count),
              IMP_STATUS_OK);
}

static void make_files(GltfFile *made, GltfPattern *text, GltfPattern *binary)
{
    GltfText *json = gltf_json(made, NULL);
    *text = (GltfPattern){.bytes = malloc(json->length), .size = json->length, .extension = "gltf"};
    memcpy(text->bytes, json->text, json->length);
    *binary = (GltfPattern){.extension = "glb"};
    binary->bytes = gltf_binary(made, &binary->size);
    free(json);
    free(made);
}

// Files in memory, where there is such a place: programs make and remove very many.
static void choose_folder(void)
{
    if (!getenv("TMPDIR") && access("/dev/shm", W_OK | X_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 1);
    make_folder(patterns.folder);
}

static void write_files(void)
{
    choose_folder();
    for (int i = 0; i < GLTF_PATTERNS; ++i) {
        GltfPattern *pattern = &patterns.files[i];
        snprintf(pattern->path, sizeof pattern->path, "%s/%d.%s", patterns.folder, i, pattern->extension);
        write_file(pattern->path, pattern->bytes, pattern->size);
    }
}

void patterns_make(void)
{
    if (patterns.context)
        return;
    CHECK_INT(imp_context_create(NULL, &patterns.context), IMP_STATUS_OK);
    make_meshes(patterns.context, patterns.meshes);
    patterns.large.mesh = make_large(patterns.context);
    CHECK_INT(scene_grid_soup(patterns.context, 240, 4, 7, &patterns.tangle.mesh), IMP_STATUS_OK);
    find_pairs(&patterns.large);
    find_pairs(&patterns.tangle);
    make_files(gltf_two_bodies(), &patterns.files[0], &patterns.files[1]);
    make_files(gltf_skinned_bar(), &patterns.files[2], &patterns.files[3]);
    make_files(gltf_morphing_box(), &patterns.files[4], &patterns.files[5]);
    write_files();
}

void patterns_free(void)
{
    for (int i = 0; i < PATTERN_COUNT; ++i)
        imp_mesh_release(patterns.meshes[i]);
    for (int i = 0; i < GLTF_PATTERNS; ++i)
        free(patterns.files[i].bytes);
    imp_mesh_release(patterns.large.mesh);
    imp_mesh_release(patterns.tangle.mesh);
    imp_context_destroy(patterns.context);
    remove_folder(patterns.folder);
    memset(&patterns, 0, sizeof patterns);
}
