// Steps of spheres.h: trees are compared with those of the reference, and given back to be proven again.
#include "call.h"
#include "steps.h"

#include <stddef.h>
#include <string.h>

#define MAX_GIVEN 256

// ---- making

// Small, so that programs stay quick. Fitting takes a tenth of a second at least.
static void choose_kind(Lane *lane, imp_SphereTreeDef *def)
{
    def->method = choose_rarely(&lane->choices, 100) ? IMP_SPHERES_FIT : IMP_SPHERES_OCTREE;
    def->cover = choose_rarely(&lane->choices, 4) ? IMP_COVER_SOLID : IMP_COVER_SURFACE;
    if (def->method == IMP_SPHERES_FIT) {
        def->count = 1 + choose(&lane->choices, 4);
        return;
    }
    switch (choose(&lane->choices, 3)) {
    case 0:
        def->branch = 2 + choose(&lane->choices, 7);
        def->depth = 1 + choose(&lane->choices, 2);
        break;
    case 1:
        def->count = 1 + choose(&lane->choices, 20);
        break;
    default:
        def->branch = 8;
        def->depth = 1;
    }
}

#define TREE_FLAWS 12

static void spoil_tree_def(Lane *lane, uint32_t flaw, imp_SphereTreeDef *def, Call *call)
{
    call_expect(call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    switch (flaw) {
    case 4:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        break;
    case 5:
        def->branch = choose(&lane->choices, 2) ? 1 : IMP_MAX_SPHERE_BRANCH + 1;
        def->count = 0;
        break;
    case 6:
        def->depth = IMP_MAX_SPHERE_DEPTH + 1;
        def->count = 0;
        break;
    case 7:
        def->branch = 2;
        def->count = 3;
        break;
    case 8:
        *def = (imp_SphereTreeDef){.mesh = def->mesh, .branch = 8, .depth = 9};
        call_expect(call, IMP_STATUS_TOO_LARGE, ANY_INDEX);
        break;
    case 9:
        *def = (imp_SphereTreeDef){.mesh = def->mesh, .protrusion = -1};
        call_expect(call, IMP_STATUS_BAD_NUMBER, ANY_INDEX);
        break;
    case 10:
        *def = (imp_SphereTreeDef){.mesh = def->mesh, .protrusion = choose_bad_number(&lane->choices)};
        call_expect(call, IMP_STATUS_BAD_NUMBER, ANY_INDEX);
        break;
    case 11:
        def->method = (imp_SphereMethod)77;
        break;
    case 12:
        def->mesh = NULL;
        break;
    default:
        break;
    }
}

// Bytes behind the last field are nobody's.
static bool is_same_sphere(const imp_Sphere *a, const imp_Sphere *b)
{
    return memcmp(a, b, offsetof(imp_Sphere, face) + sizeof a->face) == 0;
}

static void check_same(const imp_SphereTree *tree, const imp_SphereTree *wanted)
{
    size_t count, wanted_count;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    const imp_Sphere *wanted_spheres = imp_sphere_tree_get_spheres(wanted, &wanted_count);
    CHECK_INT(count, wanted_count);
    for (size_t i = 0; i < count && i < wanted_count; ++i)
        CHECK(is_same_sphere(&spheres[i], &wanted_spheres[i]));
}

static void make_tree(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_SphereTree *tree = NULL, *wanted = NULL;
    imp_SphereTreeDef def = {.mesh = lane_mesh(lane)};
    choose_kind(lane, &def);
    uint32_t flaw = lane_flaw(lane, TREE_FLAWS);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "a mesh of %zu faces, flaw %u",
                          imp_mesh_get_triangle_count(def.mesh), flaw);
    call_is_watched(&call);
    call_output(&call, &tree, sizeof tree);
    if (flaw) {
        spoil_tree_def(lane, flaw, &def, &call);
    } else {
        imp_Status status = imp_sphere_tree_create(lane->reference, &def, &wanted);
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_SHAPE || status == IMP_STATUS_BAD_NUMBER);
        call_expect(&call, status, ANY_INDEX);
    }
    CALL(&call, imp_sphere_tree_create,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &def, flaw == 3 ? NULL : &tree));
    if (call_is_done(&call)) {
        check_same(tree, wanted);
        lane_count(lane, OUTCOME_tree_covers, true);
        lane_keep_tree(lane, tree);
    }
    imp_sphere_tree_release(wanted);
}

// ---- giving

static size_t copy_spheres(const imp_SphereTree *tree, imp_GivenSphere given[MAX_GIVEN])
{
    size_t count;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    for (size_t i = 0; i < count && count <= MAX_GIVEN; ++i)
        given[i] = (imp_GivenSphere){spheres[i].center, spheres[i].radius, spheres[i].parent};
    return count <= MAX_GIVEN ? count : 0;
}

#define GIVEN_FLAWS 10

static void spoil_given(Lane *lane, uint32_t flaw, imp_GivenSphere *given, imp_GivenSpheresDef *def,
                        Call *call)
{
    uint32_t bad = choose(&lane->choices, (uint32_t)def->count);
    call_expect(call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    switch (flaw) {
    case 4:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        break;
    case 5:
        given[bad].center.z = choose_bad_number(&lane->choices);
        call_expect(call, IMP_STATUS_BAD_NUMBER, bad);
        break;
    case 6:
        given[bad].radius = -1;
        call_expect(call, IMP_STATUS_BAD_NUMBER, bad);
        break;
    case 7:
        given[bad].parent = bad ? bad : 3;
        call_expect(call, IMP_STATUS_BAD_ARGUMENT, bad);
        break;
    case 8:
        def->count = 0;
        break;
    case 9:
        def->mesh = NULL;
        break;
    case 10:
        def->spheres = NULL;
        break;
    default:
        break;
    }
}

// For its own mesh or another one, as they are or with one that is smaller; the reference says what is to be
// said of that.
static void give_spheres(Lane *lane)
{
    imp_GivenSphere given[MAX_GIVEN];
    Home *home = lane_home(lane);
    imp_SphereTree *from = lane_tree(lane), *tree = NULL, *wanted = NULL;
    size_t count = from ? copy_spheres(from, given) : 0;
    if (count == 0)
        return;
    imp_GivenSpheresDef def = {.mesh = choose_rarely(&lane->choices, 5) ? lane_mesh(lane)
                                                                        : imp_sphere_tree_get_mesh(from),
                               .cover = imp_sphere_tree_get_cover(from),
                               .spheres = given,
                               .count = count};
    if (choose_rarely(&lane->choices, 3))
        given[choose(&lane->choices, (uint32_t)count)].radius *= choose_between(&lane->choices, 0, 1);
    uint32_t flaw = lane_flaw(lane, GIVEN_FLAWS);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu spheres, flaw %u", count, flaw);
    call_is_watched(&call);
    call_output(&call, &tree, sizeof tree);
    if (flaw) {
        spoil_given(lane, flaw, given, &def, &call);
    } else {
        imp_Status status = imp_sphere_tree_create_from_spheres(lane->reference, &def, &wanted);
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_SHAPE);
        call_expect(&call, status, ANY_INDEX);
    }
    CALL(&call, imp_sphere_tree_create_from_spheres,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &def, flaw == 3 ? NULL : &tree));
    lane_count(lane, OUTCOME_tree_refused, !flaw && !wanted);
    if (call_is_done(&call)) {
        check_same(tree, wanted);
        lane_keep_tree(lane, tree);
    }
    imp_sphere_tree_release(wanted);
}

// ---- looking

static void ask_level(Lane *lane, const imp_SphereTree *tree, size_t level_count)
{
    imp_SphereLevel info;
    size_t level = choose(&lane->choices, (uint32_t)level_count), count;
    uint32_t flaw = lane_flaw(lane, 3);
    Call call = call_make(lane, NULL, "level %zu, flaw %u", level, flaw);
    call_output(&call, &info, sizeof info);
    if (flaw)
        call_expect(&call, flaw == 3 ? IMP_STATUS_BAD_INDEX : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_sphere_tree_get_level,
         (flaw == 1 ? NULL : tree, flaw == 3 ? level_count : level, flaw == 2 ? NULL : &info));
    if (!call_is_done(&call))
        return;
    imp_sphere_tree_get_spheres(tree, &count);
    CHECK(info.count > 0 && info.first + info.count <= count);
    CHECK(info.mean_protrusion <= info.largest_protrusion);
    CHECK(info.largest_protrusion <= info.largest_surface_protrusion);
}

static void look_at_tree(Lane *lane)
{
    imp_SphereTree *tree = lane_tree(lane), *same = NULL;
    imp_Mesh *mesh = NULL;
    imp_SphereCover cover = IMP_COVER_SURFACE;
    const imp_Sphere *spheres = NULL;
    size_t count = 0, level_count = 0;
    bool is_solid = false, is_closed = false;
    Call call = call_make(lane, NULL, "%s", tree ? "one of the lane's" : "null");
    CALL_VALUE(&call, mesh, imp_sphere_tree_get_mesh, (tree));
    CALL_VALUE(&call, cover, imp_sphere_tree_get_cover, (tree));
    CALL_VALUE(&call, is_solid, imp_sphere_tree_is_solid, (tree));
    CALL_VALUE(&call, spheres, imp_sphere_tree_get_spheres, (tree, &count));
    CALL_VALUE(&call, level_count, imp_sphere_tree_get_level_count, (tree));
    CALL_VALUE(&call, same, imp_sphere_tree_retain, (tree));
    CHECK(same == tree);
    CALL_VOID(&call, imp_sphere_tree_release, (tree));
    if (!tree) {
        CHECK(!mesh && !is_solid && !spheres && count == 0 && level_count == 0);
        return;
    }
    CHECK_INT(imp_mesh_is_closed(lane->reference, mesh, &is_closed), IMP_STATUS_OK);
    CHECK(is_solid == is_closed && (is_closed || cover == IMP_COVER_SURFACE));
    CHECK(spheres[0].parent == IMP_NO_SPHERE && spheres[count - 1].level + 1 == level_count);
    ask_level(lane, tree, level_count);
}

void step_spheres(Lane *lane)
{
    switch (choose(&lane->choices, 3)) {
    case 0:
        make_tree(lane);
        break;
    case 1:
        give_spheres(lane);
        break;
    default:
        look_at_tree(lane);
    }
}
