/// Sphere trees of random meshes against a judge in whole numbers: what the library says is covered is; what
/// a shrunk sphere lets out is noticed. Meshes are open and closed, in parts, flat, thin, self-intersecting,
/// far from the origin, and as small and as large as doubles allow.
#include "shape/sphere_cover.h"
#include "harness.h"
#include "oracle/sphere_oracle.h"
#include "scenes/shapes.h"
#include "sphere_drafts.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_COUNT  44
#define SAMPLES_A_MESH 20000
#define WEIGHT_LIMIT   (1u << 20)

// ---- meshes

typedef enum MeshKind {
    BUMPY,
    TORUS,
    HOLLOW,
    PARTS,
    CROSSING,
    NEEDLE,
    STAR,
    FEW_FACES,
    SOUP,
    GRID_SOUP,
    FLAT_SOUP,
    MESH_KINDS
} MeshKind;

typedef enum PlaceKind { AT_HOME, FAR_AWAY, TINY, HUGE_SIZE, PLACE_KINDS } PlaceKind;

static bool is_closed(MeshKind kind)
{
    return kind <= STAR;
}

static imp_SphereCover random_cover(MeshKind kind)
{
    return is_closed(kind) && test_random_below(2) ? IMP_COVER_SOLID : IMP_COVER_SURFACE;
}

static imp_Mesh *join(imp_Context *context, imp_Mesh *a, imp_Mesh *b, imp_Vec3 offset)
{
    imp_Mesh *moved = NULL, *both = NULL;
    CHECK_INT(scene_place(context, b, 1, offset, &moved), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, a, moved, &both), IMP_STATUS_OK);
    imp_mesh_release(a);
    imp_mesh_release(b);
    imp_mesh_release(moved);
    return both;
}

static imp_Mesh *flatten(imp_Context *context, imp_Mesh *soup)
{
    size_t count = imp_mesh_get_vertex_count(soup);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    imp_Mesh *flat = NULL;
    memcpy(vertices, imp_mesh_get_vertices(soup), count * sizeof *vertices);
    for (size_t i = 0; i < count; ++i)
        vertices[i].y = 0.25;
    imp_MeshDef def = {.vertices = &vertices[0].x,
                       .vertex_count = count,
                       .indices = imp_mesh_get_indices(soup),
                       .triangle_count = imp_mesh_get_triangle_count(soup)};
    CHECK_INT(imp_mesh_create(context, &def, &flat), IMP_STATUS_OK);
    imp_mesh_release(soup);
    free(vertices);
    return flat;
}

static imp_Mesh *make_shape(imp_Context *context, MeshKind kind)
{
    imp_Mesh *mesh = NULL, *other = NULL;
    uint32_t n = 3 + test_random_below(6), m = 3 + test_random_below(6);
    uint64_t seed = test_random();
    imp_Status status = IMP_STATUS_OK;
    switch (kind) {
    case BUMPY:
        status = scene_bumpy_sphere(context, n, m, 1, 0.4, seed, &mesh);
        break;
    case TORUS:
        status = scene_torus(context, n, m, 1, test_random_between(0.05, 0.6), &mesh);
        break;
    case HOLLOW:
        status = scene_hollow_sphere(context, n, m, 1, test_random_between(0.2, 0.4), &mesh);
        break;
    case PARTS:
    case CROSSING: {
        double apart = kind == PARTS ? 3 : 0.7;
        CHECK_INT(scene_bumpy_sphere(context, n, m, 1, 0.2, seed, &mesh), IMP_STATUS_OK);
        CHECK_INT(scene_torus(context, m, n, 0.7, 0.3, &other), IMP_STATUS_OK);
        mesh = join(context, mesh, other, (imp_Vec3){apart, test_random_unit(), 0});
        break;
    }
    case NEEDLE:
        status = scene_needle(context, n, test_random_between(1e-6, 1e-2), &mesh);
        break;
    case STAR:
        status = scene_star_prism(context, n, 0.3, test_random_between(1e-3, 1), &mesh);
        break;
    case FEW_FACES:
        status = scene_soup(context, 1 + test_random_below(2), 1, seed, &mesh);
        break;
    case GRID_SOUP:
        status = scene_grid_soup(context, 10 + test_random_below(40), 3, seed, &mesh);
        break;
    default:
        status = scene_soup(context, 10 + test_random_below(60), 0.4, seed, &mesh);
        break;
    }
    CHECK_INT(status, IMP_STATUS_OK);
    return kind == FLAT_SOUP ? flatten(context, mesh) : mesh;
}

static imp_Mesh *make_mesh(imp_Context *context, MeshKind kind, PlaceKind place)
{
    imp_Mesh *mesh = make_shape(context, kind), *placed = NULL;
    double scale = test_random_between(0.1, 10);
    imp_Vec3 offset = {test_random_between(-1, 1), test_random_between(-1, 1), 0};
    if (place == FAR_AWAY)
        offset = impi_scale(offset, pow(10, test_random_between(3, 12)));
    if (place == TINY || place == HUGE_SIZE) {
        scale *= place == TINY ? 1e-300 : 1e300;
        offset = impi_scale(offset, scale);
    }
    CHECK_INT(scene_place(context, mesh, scale, offset, &placed), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return placed;
}

// ---- trees

// Spheres with centers near the surface and any radii, parents in any way: most of it is missing.
static void draw_spheres(const imp_Mesh *mesh, impi_SphereDraft *draft, imp_Context *context)
{
    imp_Box bounds = imp_mesh_get_bounds(mesh);
    double size = impi_longest(impi_subtract(bounds.max, bounds.min));
    size_t level_begin = 0, level_end = 1, levels = test_random_below(4);
    CHECK(impi_array_reserve(&context->allocator, draft, sizeof *draft->data, 4096));
    draft->data[draft->count++] =
        (imp_GivenSphere){random_face_point(mesh), test_random_unit() * size, IMP_NO_SPHERE};
    for (size_t level = 0; level < levels; ++level) {
        for (size_t parent = level_begin; parent < level_end; ++parent)
            for (uint32_t i = 0, count = 1 + test_random_below(6); i < count; ++i)
                draft->data[draft->count++] = (imp_GivenSphere){
                    random_face_point(mesh),
                    test_random_below(4) == 0 ? 0 : test_random_unit() * size / (double)(2 << level),
                    (uint32_t)parent};
        level_begin = level_end;
        level_end = draft->count;
    }
}

static imp_Status create_from_draft(imp_Context *context, imp_Mesh *mesh, imp_SphereCover cover,
                                    const impi_SphereDraft *draft, imp_SphereTree **tree)
{
    imp_GivenSpheresDef def = {.mesh = mesh, .cover = cover, .spheres = draft->data, .count = draft->count};
    return imp_sphere_tree_create_from_spheres(context, &def, tree);
}

static imp_SphereTree *make_mended(imp_Context *context, imp_Mesh *mesh, imp_SphereCover cover)
{
    impi_SphereDraft draft = {0};
    imp_SphereTree *tree = NULL;
    draw_spheres(mesh, &draft, context);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    CHECK_INT(impi_scratch_call_end(context, guard, impi_sphere_cover_mend(context, mesh, cover, &draft)),
              IMP_STATUS_OK);
    CHECK_INT(create_from_draft(context, mesh, cover, &draft, &tree), IMP_STATUS_OK);
    free_draft(context, &draft);
    return tree;
}

static imp_SphereTree *make_built(imp_Context *context, imp_Mesh *mesh, imp_SphereMethod method,
                                  imp_SphereCover cover)
{
    imp_SphereTree *tree = NULL;
    imp_SphereTreeDef def = {.mesh = mesh, .method = method, .cover = cover};
    if (test_random_below(3) == 0)
        def.count = 1 + test_random_below(60);
    else {
        def.branch = 2 + test_random_below(8);
        def.depth = 1 + test_random_below(def.branch < 4 ? 4 : 2);
    }
    if (!CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK))
        printf("%s\n", imp_context_get_error(context)->message);
    return tree;
}

typedef enum TreeKind { MENDED, OCTREE, FIT } TreeKind;

static imp_SphereTree *make_tree(imp_Context *context, imp_Mesh *mesh, TreeKind kind, imp_SphereCover cover)
{
    return kind == MENDED
               ? make_mended(context, mesh, cover)
               : make_built(context, mesh, kind == FIT ? IMP_SPHERES_FIT : IMP_SPHERES_OCTREE, cover);
}

// Fitting takes a second or more: few trees are fitted by default, half of them in long runs.
static TreeKind choose_kind(uint64_t number, uint64_t count)
{
    uint64_t every = count > DEFAULT_COUNT ? 2 : 20;
    return number % every == every - 1 ? FIT : (TreeKind)test_random_below(FIT);
}

static OracleSpheres judge_tree(const imp_SphereTree *tree)
{
    size_t count;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    return oracle_spheres_judge(imp_sphere_tree_get_mesh(tree), imp_sphere_tree_get_cover(tree), spheres,
                                count);
}

// ---- samples

static void draw_weights(uint32_t weights[3])
{
    do
        for (int i = 0; i < 3; ++i)
            weights[i] = test_random_below(4) == 0 ? 0 : test_random_below(WEIGHT_LIMIT);
    while (weights[0] + weights[1] + weights[2] == 0);
}

// By doubles where these are sure, otherwise by whole numbers.
static bool is_sample_held(const imp_Mesh *mesh, const imp_Sphere *spheres, size_t count, uint8_t *held,
                           uint32_t face, const uint32_t weights[3])
{
    imp_Triangle triangle = impi_mesh_triangle(mesh, face);
    double sum = (double)weights[0] + (double)weights[1] + (double)weights[2];
    size_t last = spheres[count - 1].level;
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 away = {0, 0, 0};
        for (int k = 0; k < 3; ++k)
            away = impi_add_scaled(away, weights[k] / sum, impi_subtract(triangle.v[k], spheres[i].center));
        bool is_above_held = i == 0 || held[spheres[i].parent];
        held[i] = is_above_held && impi_length(away) <= spheres[i].radius * (1 - 0x1p-40);
        if (held[i] && spheres[i].level == last)
            return true;
    }
    return oracle_spheres_hold(mesh, spheres, count, face, weights);
}

static void check_samples(const imp_SphereTree *tree)
{
    const imp_Mesh *mesh = imp_sphere_tree_get_mesh(tree);
    size_t count;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    uint8_t *held = malloc(count);
    size_t outside = 0;
    for (size_t i = 0; i < SAMPLES_A_MESH; ++i) {
        uint32_t weights[3], face = test_random_below((uint32_t)imp_mesh_get_triangle_count(mesh));
        draw_weights(weights);
        outside += !is_sample_held(mesh, spheres, count, held, face, weights);
    }
    CHECK_INT((int64_t)outside, 0);
    free(held);
}

// ---- the tests

TEST(what_is_proven_is_true)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    uint64_t count = test_count(DEFAULT_COUNT), seen[MESH_KINDS] = {0}, solids = 0, pieces = 0, fitted = 0;
    for (uint64_t i = 0; i < count; ++i) {
        MeshKind kind = (MeshKind)(i % MESH_KINDS);
        PlaceKind place = (PlaceKind)test_random_below(PLACE_KINDS);
        TreeKind tree_kind = choose_kind(i, count);
        imp_SphereCover cover = is_closed(kind) && test_random_below(2) ? IMP_COVER_SOLID : IMP_COVER_SURFACE;
        imp_Mesh *mesh = make_mesh(context, kind, place);
        imp_SphereTree *tree = make_tree(context, mesh, tree_kind, cover);
        if (CHECK(tree)) {
            OracleSpheres verdict = judge_tree(tree);
            if (!CHECK(verdict.is_covered))
                printf("mesh %d at place %d, tree %d, cover %d, face %u, %llu pieces\n", (int)kind,
                       (int)place, (int)tree_kind, (int)cover, (unsigned)verdict.face,
                       (unsigned long long)verdict.piece_count);
            check_samples(tree);
            pieces += verdict.piece_count;
            ++seen[kind];
            solids += cover == IMP_COVER_SOLID;
            fitted += tree_kind == FIT;
        }
        imp_sphere_tree_release(tree);
        imp_mesh_release(mesh);
    }
    CHECK(fitted >= count / 20);
    for (int kind = 0; kind < MESH_KINDS; ++kind)
        CHECK(seen[kind] >= count / MESH_KINDS);
    CHECK(solids >= count / 8 && pieces > 100 * count);
    imp_context_destroy(context);
}

// Spheres of a tree, to be changed.
static void copy_spheres(imp_Context *context, const imp_SphereTree *tree, impi_SphereDraft *draft,
                         imp_Sphere **copy)
{
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &draft->count);
    size_t count = draft->count;
    draft->count = 0;
    CHECK(impi_array_reserve(&context->allocator, draft, sizeof *draft->data, count));
    *copy = malloc(count * sizeof **copy);
    memcpy(*copy, spheres, count * sizeof **copy);
    for (size_t i = 0; i < count; ++i)
        draft->data[draft->count++] =
            (imp_GivenSphere){spheres[i].center, spheres[i].radius, spheres[i].parent};
}

// The largest radius of a sphere at which no chain holds the point any more; negative when there is none.
static double find_leaving_radius(const imp_Mesh *mesh, imp_Sphere *spheres, size_t count, size_t which,
                                  uint32_t face, const uint32_t weights[3])
{
    double low = 0, high = spheres[which].radius;
    spheres[which].radius = low;
    if (oracle_spheres_hold(mesh, spheres, count, face, weights))
        return -1;
    for (double middle = high / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
        spheres[which].radius = middle;
        if (oracle_spheres_hold(mesh, spheres, count, face, weights))
            high = middle;
        else
            low = middle;
    }
    return low;
}

static void check_refusal(imp_Context *context, imp_Mesh *mesh, const impi_SphereDraft *draft)
{
    imp_SphereTree *tree = NULL;
    impi_SphereFaces faces = {0};
    CHECK_INT(create_from_draft(context, mesh, IMP_COVER_SURFACE, draft, &tree), IMP_STATUS_BAD_SHAPE);
    const imp_Error *error = imp_context_get_error(context);
    CHECK(!tree && error->index < imp_mesh_get_triangle_count(mesh));
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    imp_Status status = impi_sphere_cover_prove(context, mesh, IMP_COVER_SURFACE, draft, &faces);
    CHECK_INT(impi_scratch_call_end(context, guard, status), IMP_STATUS_BAD_SHAPE);
    CHECK(!faces.first && !faces.faces);
}

TEST(a_sphere_that_lets_a_point_out_is_noticed)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    uint64_t count = test_count(60), noticed = 0, harmless = 0;
    for (uint64_t i = 0; i < count; ++i) {
        imp_Mesh *mesh =
            make_mesh(context, (MeshKind)(i % MESH_KINDS), (PlaceKind)test_random_below(PLACE_KINDS));
        imp_SphereTree *tree = make_tree(context, mesh, (TreeKind)test_random_below(FIT), IMP_COVER_SURFACE);
        impi_SphereDraft draft = {0};
        imp_Sphere *spheres;
        copy_spheres(context, tree, &draft, &spheres);
        for (int k = 0; k < 8 && draft.count > 0; ++k) {
            uint32_t weights[3], face = test_random_below((uint32_t)imp_mesh_get_triangle_count(mesh));
            size_t which = k == 0 ? 0 : test_random_below((uint32_t)draft.count);
            double given = spheres[which].radius;
            draw_weights(weights);
            double radius = find_leaving_radius(mesh, spheres, draft.count, which, face, weights);
            if (radius >= 0) {
                draft.data[which].radius = radius;
                check_refusal(context, mesh, &draft);
            }
            ++*(radius >= 0 ? &noticed : &harmless);
            draft.data[which].radius = spheres[which].radius = given;
        }
        free(spheres);
        free_draft(context, &draft);
        imp_sphere_tree_release(tree);
        imp_mesh_release(mesh);
    }
    CHECK(noticed > count && harmless > count);
    imp_context_destroy(context);
}

// Spheres shrunk by a little or more: where the library finds proof, so does the judge. The other way round,
// only spheres that touch more than they overlap can be refused though they cover.
TEST(shrunk_trees_are_judged_alike)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    uint64_t count = test_count(60), accepted = 0, refused = 0, too_strict = 0;
    for (uint64_t i = 0; i < count; ++i) {
        MeshKind kind = (MeshKind)(i % MESH_KINDS);
        imp_SphereCover cover = random_cover(kind);
        imp_Mesh *mesh = make_mesh(context, kind, (PlaceKind)test_random_below(PLACE_KINDS));
        imp_SphereTree *tree = make_built(context, mesh, IMP_SPHERES_OCTREE, cover), *shrunk = NULL;
        impi_SphereDraft draft = {0};
        imp_Sphere *spheres;
        copy_spheres(context, tree, &draft, &spheres);
        double factor = 1 - pow(2, test_random_between(-8, -1));
        for (size_t k = 1; k < draft.count; ++k)
            spheres[k].radius = draft.data[k].radius *= factor;
        imp_Status status = create_from_draft(context, mesh, cover, &draft, &shrunk);
        bool is_covered = oracle_spheres_judge(mesh, cover, spheres, draft.count).is_covered;
        CHECK_INT(status, shrunk ? IMP_STATUS_OK : IMP_STATUS_BAD_SHAPE);
        CHECK(is_covered || !shrunk);
        accepted += shrunk != NULL;
        refused += !shrunk && !is_covered;
        too_strict += !shrunk && is_covered;
        free(spheres);
        free_draft(context, &draft);
        imp_sphere_tree_release(shrunk);
        imp_sphere_tree_release(tree);
        imp_mesh_release(mesh);
    }
    CHECK(accepted >= count / 8 && refused >= count / 8 && too_strict <= count / 50);
    imp_context_destroy(context);
}

static void check_sample(imp_Context *context, imp_Mesh *mesh, imp_SphereMethod method, uint32_t depth)
{
    imp_SphereTree *tree = NULL;
    imp_SphereTreeDef def = {.mesh = mesh, .method = method, .depth = depth};
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
    CHECK(tree && judge_tree(tree).is_covered);
    imp_sphere_tree_release(tree);
}

// The meshes that everybody knows.
TEST(sample_meshes_are_covered)
{
    const char *const names[] = {"stanford-bunny-1500",
                                 "fandisk-1500",
                                 "spot-1500",
                                 "homer-1500",
                                 "suzanne",
                                 "cow",
                                 "teapot",
                                 "spot",
                                 "homer",
                                 "fandisk",
                                 "stanford-bunny"};
    const size_t small_count = 5; // which take a moment
    char path[4096];
    if (!test_data_dir()) {
        test_skip("there are no sample meshes");
        return;
    }
    bool is_long = test_count(DEFAULT_COUNT) > DEFAULT_COUNT;
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    size_t count = is_long ? sizeof names / sizeof *names : small_count;
    for (size_t i = 0; i < count; ++i) {
        imp_Mesh *mesh = NULL;
        snprintf(path, sizeof path, "%s/meshes/%s.obj", test_data_dir(), names[i]);
        if (!CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK))
            continue;
        check_sample(context, mesh, IMP_SPHERES_OCTREE, 3);
        if (i == 0 || is_long)
            check_sample(context, mesh, IMP_SPHERES_FIT, is_long ? 3 : 1);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}
