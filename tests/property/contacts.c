// Contacts of random posed closed meshes: regions hold all touching faces, curves lie on both surfaces and
// are closed, depths agree with dense samples, and neither threads nor the order of bodies make a difference.
#include "contact_fixture.h"
#include "oracle/distance_oracle.h"

#define SHAPE_COUNT 6
#define BODY_COUNT  5

static imp_Mesh *make_shape(imp_Context *context, int number)
{
    imp_Mesh *mesh = NULL;
    imp_Status status = IMP_STATUS_OK;
    switch (number) {
    case 0:
        status = scene_box(context, (imp_Vec3){-0.7, -0.8, -0.9}, (imp_Vec3){0.7, 0.8, 0.9}, &mesh);
        break;
    case 1:
        status = scene_sphere(context, 12, 8, 1, &mesh);
        break;
    case 2:
        status = scene_bumpy_sphere(context, 12, 9, 1, 0.3, 5, &mesh);
        break;
    case 3:
        status = scene_torus(context, 12, 7, 0.9, 0.35, &mesh);
        break;
    case 4:
        status = scene_l_prism(context, 1, &mesh);
        break;
    default:
        status = scene_star_prism(context, 5, 0.4, 0.8, &mesh);
        break;
    }
    CHECK_INT(status, IMP_STATUS_OK);
    return mesh;
}

static imp_Pose random_pose(double reach)
{
    imp_Pose pose;
    double square;
    do {
        double w = test_random_between(-1, 1), x = test_random_between(-1, 1);
        double y = test_random_between(-1, 1), z = test_random_between(-1, 1);
        pose.rotation = (imp_Quat){w, x, y, z};
        square = w * w + x * x + y * y + z * z;
    } while (square > 1 || square < 0.1);
    double factor = 1 / sqrt(square);
    pose.rotation = (imp_Quat){pose.rotation.w * factor, pose.rotation.x * factor, pose.rotation.y * factor,
                               pose.rotation.z * factor};
    double x = test_random_between(-reach, reach), y = test_random_between(-reach, reach);
    double z = test_random_between(-reach, reach);
    pose.translation = (imp_Vec3){x, y, z};
    return pose;
}

// ---- curves

typedef struct Bodies {
    PosedFaces faces[2];
    double largest; // coordinate
} Bodies;

static double largest_coordinate(const imp_Box *box)
{
    const double *values = &box->min.x;
    double most = 0;
    for (int i = 0; i < 6; ++i)
        most = fmax(most, fabs(values[i]));
    return most;
}

static bool is_near_box(const imp_Box *box, imp_Vec3 p, double margin)
{
    return box->min.x - margin <= p.x && p.x <= box->max.x + margin && box->min.y - margin <= p.y &&
           p.y <= box->max.y + margin && box->min.z - margin <= p.z && p.z <= box->max.z + margin;
}

static bool lies_on(const PosedFaces *faces, imp_Vec3 point, double bound)
{
    for (size_t i = 0; i < faces->count; ++i)
        if (is_near_box(&faces->boxes[i], point, bound) &&
            (!oracle_distance_find(&point, 1, faces->triangles[i].v, 3) ||
             oracle_distance_compare(bound) >= 0))
            return true;
    return false;
}

static void check_curve_points(const Bodies *bodies, const imp_Report *report)
{
    // Each coordinate is off by 6 * 2^-53 of the largest at most.
    double bound = 1.8 * 6 * 0x1p-53 * bodies->largest;
    for (size_t i = 0; i < report->curve_point_count; ++i)
        CHECK(lies_on(&bodies->faces[0], report->curve_points[i], bound) &&
              lies_on(&bodies->faces[1], report->curve_points[i], bound));
}

static void check_closed(const imp_Report *report)
{
    for (size_t i = 0; i < report->polyline_count; ++i)
        CHECK(report->polylines[i].is_closed && report->polylines[i].point_count >= 3);
}

// ---- regions

static int compare_faces(const void *left, const void *right)
{
    const imp_TouchingFaces *a = left, *b = right;
    return a->face_a != b->face_a ? (a->face_a > b->face_a) - (a->face_a < b->face_a)
                                  : (a->face_b > b->face_b) - (a->face_b < b->face_b);
}

// All touching faces are in one region each.
static void check_regions(const imp_Report *report)
{
    imp_TouchingFaces *faces = malloc((report->face_pair_count + 1) * sizeof *faces);
    size_t sum = 0, lines = 0;
    if (!CHECK_INT((int64_t)report->contact_face_count, (int64_t)report->face_pair_count))
        return;
    for (size_t i = 0; i < report->contact_count; ++i) {
        const imp_Contact *contact = &report->contacts[i];
        CHECK_INT((int64_t)contact->first_face, (int64_t)sum);
        CHECK_INT((int64_t)contact->first_polyline, (int64_t)lines);
        sum += contact->face_count;
        lines += contact->polyline_count;
        double length = sqrt(contact->normal.x * contact->normal.x + contact->normal.y * contact->normal.y +
                             contact->normal.z * contact->normal.z);
        CHECK(fabs(length - 1) < 1e-14);
        CHECK(contact->point_count >= 1 && contact->point_count <= 4);
    }
    CHECK_INT((int64_t)lines, (int64_t)report->polyline_count);
    if (report->face_pair_count > 0) {
        memcpy(faces, report->contact_faces, sum * sizeof *faces);
        qsort(faces, sum, sizeof *faces, compare_faces);
        CHECK(memcmp(faces, report->face_pairs, sum * sizeof *faces) == 0);
    }
    free(faces);
}

// ---- depth

static double length_of(imp_Vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static imp_Vec3 mix(imp_Vec3 a, double s, imp_Vec3 b, double t)
{
    return (imp_Vec3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

static double dot(imp_Vec3 a, imp_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double segment_distance(imp_Vec3 p, imp_Vec3 a, imp_Vec3 b)
{
    imp_Vec3 along = mix(b, 1, a, -1), step = mix(p, 1, a, -1);
    double t = fmin(fmax(dot(step, along) / dot(along, along), 0), 1);
    return length_of(mix(step, 1, along, -t));
}

// Inside of the prism over the face its plane is nearest, otherwise an edge is.
static double face_distance(imp_Vec3 p, const imp_Triangle *t)
{
    imp_Vec3 u = mix(t->v[1], 1, t->v[0], -1), w = mix(t->v[2], 1, t->v[0], -1),
             step = mix(p, 1, t->v[0], -1);
    imp_Vec3 normal = {u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x};
    double uu = dot(u, u), uw = dot(u, w), ww = dot(w, w), su = dot(step, u), sw = dot(step, w);
    double whole = uu * ww - uw * uw, b = (ww * su - uw * sw) / whole, c = (uu * sw - uw * su) / whole;
    if (b >= 0 && c >= 0 && b + c <= 1)
        return fabs(dot(step, normal)) / length_of(normal);
    return fmin(segment_distance(p, t->v[0], t->v[1]),
                fmin(segment_distance(p, t->v[1], t->v[2]), segment_distance(p, t->v[2], t->v[0])));
}

static double surface_distance(imp_Vec3 p, const PosedFaces *faces)
{
    double least = INFINITY;
    for (size_t i = 0; i < faces->count; ++i)
        least = fmin(least, face_distance(p, &faces->triangles[i]));
    return least;
}

static imp_Mesh *posed_mesh(imp_Context *context, const PosedFaces *faces)
{
    uint32_t *indices = malloc(3 * faces->count * sizeof *indices);
    for (uint32_t i = 0; i < 3 * faces->count; ++i)
        indices[i] = i;
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = &faces->triangles[0].v[0].x,
                       .vertex_count = 3 * faces->count,
                       .indices = indices,
                       .triangle_count = faces->count};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    free(indices);
    return mesh;
}

#define GRID 12

// The deepest of points all over the faces of one in the other, and how far from one of them any point is.
static double sample_depth(imp_Context *context, const PosedFaces *one, const PosedFaces *other,
                           double *reach)
{
    size_t per_face = (GRID + 1) * (GRID + 2) / 2, count = 0;
    imp_Vec3 *points = malloc(one->count * per_face * sizeof *points);
    imp_PointLocation *locations = malloc(one->count * per_face * sizeof *locations);
    imp_Mesh *mesh = posed_mesh(context, other);
    double deepest = 0;
    for (size_t i = 0; i < one->count; ++i) {
        const imp_Vec3 *v = one->triangles[i].v;
        for (int k = 0; k < 3; ++k)
            *reach = fmax(*reach, length_of(mix(v[(k + 1) % 3], 1, v[k], -1)) / GRID);
        for (int k = 0; k <= GRID; ++k)
            for (int m = 0; m + k <= GRID; ++m)
                points[count++] = mix(mix(v[0], (double)(GRID - k - m) / GRID, v[1], (double)k / GRID), 1,
                                      v[2], (double)m / GRID);
    }
    CHECK_INT(imp_mesh_locate_points(context, mesh, points, count, locations), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i)
        if (locations[i] == IMP_LOCATION_INSIDE)
            deepest = fmax(deepest, surface_distance(points[i], other));
    imp_mesh_release(mesh);
    free(points);
    free(locations);
    return deepest;
}

static void check_depths(imp_Context *context, const Bodies *bodies, const imp_Report *report)
{
    double reach = 0, depth = 0, lower = 0;
    double sampled = fmax(sample_depth(context, &bodies->faces[0], &bodies->faces[1], &reach),
                          sample_depth(context, &bodies->faces[1], &bodies->faces[0], &reach));
    for (size_t i = 0; i < report->contact_count; ++i) {
        const imp_Contact *contact = &report->contacts[i];
        CHECK(contact->depth_is_known && contact->depth_reached_accuracy);
        CHECK(contact->depth_lower_bound <= contact->depth);
        depth = fmax(depth, contact->depth);
        lower = fmax(lower, contact->depth_lower_bound);
    }
    CHECK(sampled <= depth * (1 + 1e-9) + 1e-12);
    CHECK(lower <= sampled + reach);
}

// ---- the order of bodies

static const imp_Contact *find_mirrored(const imp_Report *report, const imp_TouchingFaces *faces)
{
    for (size_t i = 0; i < report->contact_count; ++i)
        for (size_t k = 0; k < report->contacts[i].face_count; ++k) {
            const imp_TouchingFaces *other = &report->contact_faces[report->contacts[i].first_face + k];
            if (other->face_a == faces->face_b && other->face_b == faces->face_a)
                return &report->contacts[i];
        }
    return NULL;
}

static void check_mirrored(const imp_Report *report, const imp_Report *swapped)
{
    CHECK_INT((int64_t)report->contact_count, (int64_t)swapped->contact_count);
    CHECK_INT((int64_t)report->curve_point_count, (int64_t)swapped->curve_point_count);
    for (size_t i = 0; i < report->contact_count; ++i) {
        const imp_Contact *contact = &report->contacts[i];
        const imp_Contact *other = find_mirrored(swapped, &report->contact_faces[contact->first_face]);
        if (!CHECK(other != NULL))
            continue;
        CHECK(other->face_count == contact->face_count && other->polyline_count == contact->polyline_count);
        CHECK(other->normal.x == -contact->normal.x && other->normal.y == -contact->normal.y &&
              other->normal.z == -contact->normal.z && other->normal_rule == contact->normal_rule);
        CHECK(other->point_count == contact->point_count &&
              memcmp(other->points, contact->points, contact->point_count * sizeof *contact->points) == 0);
        CHECK_DOUBLE(other->depth, contact->depth);
        CHECK_DOUBLE(other->depth_lower_bound, contact->depth_lower_bound);
    }
}

// ---- the tests

TEST(random_pairs_have_true_contacts)
{
    uint64_t count = test_count(60), touching = 0, several = 0;
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture fixture = contact_fixture_make(1), swapped = contact_fixture_make(1);
        Bodies bodies = {.largest = 0};
        imp_Mesh *meshes[2];
        imp_Pose poses[2];
        for (int i = 0; i < 2; ++i) {
            meshes[i] = make_shape(fixture.context, (int)test_random_below(SHAPE_COUNT));
            poses[i] = random_pose(n % 8 == 0 ? 0.3 : 1);
            if (n % 5 == 0)
                poses[i].translation.x += 1e4;
            bodies.faces[i] = posed_faces_make(meshes[i], NULL, &poses[i]);
            bodies.largest = fmax(bodies.largest, largest_coordinate(&bodies.faces[i].bounds));
        }
        for (int i = 0; i < 2; ++i) {
            place(&fixture, imp_mesh_retain(meshes[i]), poses[i]);
            place(&swapped, imp_mesh_retain(meshes[!i]), poses[!i]);
        }
        const imp_Report *report = find_contacts(&fixture);
        check_regions(report);
        check_curve_points(&bodies, report);
        check_closed(report);
        if (report->contact_count > 0)
            check_depths(fixture.context, &bodies, report);
        check_mirrored(report, find_contacts(&swapped));
        touching += report->contact_count > 0;
        several += report->contact_count > 1;
        for (int i = 0; i < 2; ++i) {
            imp_mesh_release(meshes[i]);
            posed_faces_free(&bodies.faces[i]);
        }
        contact_fixture_destroy(&fixture);
        contact_fixture_destroy(&swapped);
    }
    CHECK(touching > count / 2 && several > count / 20);
}

// ---- boxes on a lattice

#define LATTICE 4
#define CELLS   (2 * LATTICE + 1) // vertices at even places, edges between them at odd ones

typedef struct LatticeBox {
    int min[3], max[3];
} LatticeBox;

static LatticeBox random_lattice_box(void)
{
    LatticeBox box;
    for (int axis = 0; axis < 3; ++axis) {
        int one = (int)test_random_below(LATTICE + 1), other = (int)test_random_below(LATTICE);
        other += other >= one;
        box.min[axis] = one < other ? one : other;
        box.max[axis] = one < other ? other : one;
    }
    return box;
}

// 0: outside, 1: on the surface, 2: inside.
static int locate_cell(const LatticeBox *box, const int *cell)
{
    int place = 2;
    for (int axis = 0; axis < 3; ++axis) {
        if (cell[axis] < 2 * box->min[axis] || cell[axis] > 2 * box->max[axis])
            return 0;
        if (cell[axis] == 2 * box->min[axis] || cell[axis] == 2 * box->max[axis])
            place = 1;
    }
    return place;
}

typedef struct Lattice {
    bool is_common[CELLS][CELLS][CELLS]; // on both surfaces
    bool is_any_inside;                  // a cell of one surface is inside of the other
} Lattice;

static void fill_lattice(const LatticeBox *boxes, Lattice *lattice)
{
    lattice->is_any_inside = false;
    for (int x = 0; x < CELLS; ++x)
        for (int y = 0; y < CELLS; ++y)
            for (int z = 0; z < CELLS; ++z) {
                const int cell[3] = {x, y, z};
                int a = locate_cell(&boxes[0], cell), b = locate_cell(&boxes[1], cell);
                lattice->is_common[x][y][z] = a == 1 && b == 1;
                lattice->is_any_inside |= a + b == 3 && a * b == 2;
            }
}

static void empty_component(Lattice *lattice, int x, int y, int z) // NOLINT(misc-no-recursion)
{
    if (x < 0 || y < 0 || z < 0 || x >= CELLS || y >= CELLS || z >= CELLS || !lattice->is_common[x][y][z])
        return;
    lattice->is_common[x][y][z] = false;
    for (int step = -1; step <= 1; step += 2) {
        empty_component(lattice, x + step, y, z);
        empty_component(lattice, x, y + step, z);
        empty_component(lattice, x, y, z + step);
    }
}

static size_t count_components(Lattice *lattice)
{
    size_t count = 0;
    for (int x = 0; x < CELLS; ++x)
        for (int y = 0; y < CELLS; ++y)
            for (int z = 0; z < CELLS; ++z)
                if (lattice->is_common[x][y][z]) {
                    ++count;
                    empty_component(lattice, x, y, z);
                }
    return count;
}

// Faces on faces, edges on edges, vertices anywhere: regions are what cells of the lattice say.
TEST(boxes_on_a_lattice_have_the_regions_of_their_cells)
{
    uint64_t count = test_count(60) * 10, touching = 0, several = 0, deep = 0;
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture fixture = contact_fixture_make(1);
        LatticeBox boxes[2];
        Bodies bodies = {.largest = LATTICE};
        Lattice lattice;
        imp_Pose still = {0};
        for (int i = 0; i < 2; ++i) {
            boxes[i] = random_lattice_box();
            const int *min = boxes[i].min, *max = boxes[i].max;
            imp_Mesh *mesh =
                box_mesh(&fixture, (imp_Vec3){min[0], min[1], min[2]}, (imp_Vec3){max[0], max[1], max[2]});
            bodies.faces[i] = posed_faces_make(mesh, NULL, &still);
            place(&fixture, mesh, still);
        }
        fill_lattice(boxes, &lattice);
        const imp_Report *report = find_contacts(&fixture);
        CHECK_INT((int64_t)report->contact_count, (int64_t)count_components(&lattice));
        check_regions(report);
        check_curve_points(&bodies, report);
        if (report->contact_count > 0)
            check_depths(fixture.context, &bodies, report);
        bool is_deep = false;
        for (size_t i = 0; i < report->contact_count; ++i)
            is_deep |= report->contacts[i].depth > 0;
        CHECK_INT(is_deep, report->contact_count > 0 && lattice.is_any_inside);
        touching += report->contact_count > 0;
        several += report->contact_count > 1;
        deep += is_deep;
        for (int i = 0; i < 2; ++i)
            posed_faces_free(&bodies.faces[i]);
        contact_fixture_destroy(&fixture);
    }
    CHECK(touching > count / 2 && (several > 0 || count < 3000) && deep > count / 4 && deep < touching);
}

// ---- what is no body at all

// Triangles on few lattice points: degenerate ones, equal ones, ones that cross in every way.
TEST(soups_have_regions_and_curves)
{
    uint64_t count = test_count(60), contacts = 0;
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture fixture = contact_fixture_make(1);
        Bodies bodies = {.largest = 4};
        imp_Pose still = {0};
        for (int i = 0; i < 2; ++i) {
            imp_Mesh *mesh = NULL;
            uint32_t grid = 3 + test_random_below(2), faces = 1 + test_random_below(20);
            CHECK_INT(scene_grid_soup(fixture.context, faces, grid, test_random(), &mesh), IMP_STATUS_OK);
            bodies.faces[i] = posed_faces_make(mesh, NULL, &still);
            place(&fixture, mesh, still);
        }
        const imp_Report *report = find_contacts(&fixture);
        check_regions(report);
        check_curve_points(&bodies, report);
        contacts += report->contact_count;
        for (int i = 0; i < 2; ++i)
            posed_faces_free(&bodies.faces[i]);
        contact_fixture_destroy(&fixture);
    }
    CHECK(contacts > count / 2);
}

static imp_Mesh *random_lattice_mesh(const ContactFixture *fixture)
{
    imp_Mesh *joined = NULL;
    for (uint32_t i = 0, count = 1 + test_random_below(3); i < count; ++i) {
        LatticeBox box = random_lattice_box();
        imp_Mesh *mesh = box_mesh(fixture, (imp_Vec3){box.min[0], box.min[1], box.min[2]},
                                  (imp_Vec3){box.max[0], box.max[1], box.max[2]});
        imp_Mesh *flipped = NULL, *both = NULL;
        if (test_random_below(4) == 0) {
            CHECK_INT(scene_flip(fixture->context, mesh, &flipped), IMP_STATUS_OK);
            imp_mesh_release(mesh);
            mesh = flipped;
        }
        if (joined) {
            CHECK_INT(scene_join(fixture->context, joined, mesh, &both), IMP_STATUS_OK);
            imp_mesh_release(joined);
            imp_mesh_release(mesh);
            mesh = both;
        }
        joined = mesh;
    }
    return joined;
}

// Boxes that share faces, lie in each other or are turned inward, as one closed mesh: bounds hold, and
// nothing of a region is deeper than all that is inside.
TEST(meshes_that_meet_themselves_have_true_depths)
{
    uint64_t count = test_count(60) * 2, deep = 0;
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture fixture = contact_fixture_make(1);
        Bodies bodies = {.largest = 4};
        imp_Pose pose = {0};
        for (int i = 0; i < 2; ++i) {
            imp_Mesh *mesh = random_lattice_mesh(&fixture);
            bodies.faces[i] = posed_faces_make(mesh, NULL, &pose);
            place(&fixture, mesh, pose);
            pose = n % 2 ? random_pose(1) : pose;
        }
        const imp_Report *report = find_contacts(&fixture);
        check_regions(report);
        double reach = 0, sampled = 0, lower = 0;
        for (int i = 0; i < 2 && report->contact_count > 0; ++i)
            sampled =
                fmax(sampled, sample_depth(fixture.context, &bodies.faces[i], &bodies.faces[!i], &reach));
        for (size_t i = 0; i < report->contact_count; ++i) {
            CHECK(report->contacts[i].depth_is_known && report->contacts[i].depth_reached_accuracy);
            lower = fmax(lower, report->contacts[i].depth_lower_bound);
        }
        CHECK(lower <= sampled + reach);
        deep += lower > 0;
        for (int i = 0; i < 2; ++i)
            posed_faces_free(&bodies.faces[i]);
        contact_fixture_destroy(&fixture);
    }
    CHECK(deep > count / 4);
}

// ---- many regions

#define PART_COUNT 8

static bool is_same_point(imp_Vec3 a, imp_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// A region of the whole is one of its parts alone: the same points, and bounds of the same depth.
static bool match_region(const imp_Contact *whole, const imp_Report *part)
{
    for (size_t i = 0; i < part->contact_count; ++i) {
        const imp_Contact *contact = &part->contacts[i];
        if (contact->point_count != whole->point_count ||
            !is_same_point(contact->points[0], whole->points[0]) || contact->face_count != whole->face_count)
            continue;
        CHECK(whole->depth_lower_bound <= contact->depth && contact->depth_lower_bound <= whole->depth);
        CHECK(whole->normal.x * contact->normal.x + whole->normal.y * contact->normal.y +
                  whole->normal.z * contact->normal.z >
              1 - 1e-12);
        return true;
    }
    return false;
}

// Parts that lie apart, as one mesh and one by one: what one of them does is no business of the others,
// although they meet the other body in the same large faces.
TEST(parts_that_lie_apart_keep_their_depths)
{
    uint64_t count = test_count(60) / 4, regions = 0;
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture whole = contact_fixture_make(1), parts[PART_COUNT];
        imp_Mesh *joined = NULL, *other = make_shape(whole.context, (int)(n % SHAPE_COUNT));
        imp_Pose pose = random_pose(0.2);
        for (int i = 0; i < PART_COUNT; ++i) {
            imp_Mesh *shape = NULL, *part = NULL, *both = NULL;
            double jitter = test_random_between(0, 0.2);
            imp_Vec3 place_of = {(i & 1 ? 0.6 : -0.6) + jitter, i & 2 ? 0.6 : -0.6,
                                 (i & 4 ? 0.6 : -0.6) - jitter};
            CHECK_INT(scene_bumpy_sphere(whole.context, 7, 5, 0.35, 0.1, n + (uint64_t)i, &shape),
                      IMP_STATUS_OK);
            CHECK_INT(scene_place(whole.context, shape, 1, place_of, &part), IMP_STATUS_OK);
            imp_mesh_release(shape);
            parts[i] = contact_fixture_make(1);
            place(&parts[i], imp_mesh_retain(part), (imp_Pose){0});
            place(&parts[i], imp_mesh_retain(other), pose);
            if (joined) {
                CHECK_INT(scene_join(whole.context, joined, part, &both), IMP_STATUS_OK);
                imp_mesh_release(joined);
                imp_mesh_release(part);
                part = both;
            }
            joined = part;
        }
        place(&whole, joined, (imp_Pose){0});
        place(&whole, other, pose);
        find_contacts(&whole);
        size_t alone = 0, found = 0;
        for (int i = 0; i < PART_COUNT; ++i)
            alone += find_contacts(&parts[i])->contact_count;
        CHECK_INT((int64_t)whole.report->contact_count, (int64_t)alone);
        for (size_t k = 0; k < whole.report->contact_count; ++k)
            for (int i = 0; i < PART_COUNT; ++i)
                found += match_region(&whole.report->contacts[k], parts[i].report);
        CHECK_INT((int64_t)found, (int64_t)alone);
        regions += alone;
        for (int i = 0; i < PART_COUNT; ++i)
            contact_fixture_destroy(&parts[i]);
        contact_fixture_destroy(&whole);
    }
    CHECK(regions > 3 * count);
}

// ---- scales

static bool is_scaled(imp_Vec3 a, imp_Vec3 b, double scale)
{
    return b.x == a.x * scale && b.y == a.y * scale && b.z == a.z * scale;
}

static void check_scaled(const imp_Report *report, const imp_Report *scaled, double scale)
{
    CHECK_INT((int64_t)report->contact_count, (int64_t)scaled->contact_count);
    CHECK_INT((int64_t)report->curve_point_count, (int64_t)scaled->curve_point_count);
    for (size_t i = 0; i < report->contact_count && i < scaled->contact_count; ++i) {
        const imp_Contact *contact = &report->contacts[i], *other = &scaled->contacts[i];
        CHECK(is_scaled(contact->normal, other->normal, 1) && contact->point_count == other->point_count);
        for (uint32_t k = 0; k < contact->point_count; ++k)
            CHECK(is_scaled(contact->points[k], other->points[k], scale));
        CHECK_DOUBLE(other->depth, contact->depth * scale);
        CHECK_DOUBLE(other->depth_lower_bound, contact->depth_lower_bound * scale);
        CHECK(other->depth_is_known && other->depth_reached_accuracy);
    }
    for (size_t i = 0; i < report->curve_point_count && i < scaled->curve_point_count; ++i)
        CHECK(is_scaled(report->curve_points[i], scaled->curve_points[i], scale));
}

TEST(powers_of_two_scale_everything)
{
    uint64_t count = test_count(60) / 2, contacts = 0;
    const double scales[] = {0x1p-900, 0x1p-40, 0x1p60, 0x1p990};
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture fixture = contact_fixture_make(1), scaled = contact_fixture_make(1);
        double scale = scales[n % 4];
        for (int i = 0; i < 2; ++i) {
            imp_Mesh *mesh = make_shape(fixture.context, (int)test_random_below(SHAPE_COUNT)), *other = NULL;
            imp_Pose pose = random_pose(0.8);
            CHECK_INT(scene_place(fixture.context, mesh, scale, (imp_Vec3){0, 0, 0}, &other), IMP_STATUS_OK);
            place(&fixture, mesh, pose);
            pose.translation = mix(pose.translation, scale, pose.translation, 0);
            place(&scaled, other, pose);
        }
        const imp_Report *report = find_contacts(&fixture);
        check_scaled(report, find_contacts(&scaled), scale);
        contacts += report->contact_count;
        contact_fixture_destroy(&scaled);
        contact_fixture_destroy(&fixture);
    }
    CHECK(contacts > count / 2);
}

TEST(threads_and_rest_make_no_difference)
{
    uint64_t count = test_count(60) / 10, contacts = 0;
    const uint32_t thread_counts[] = {1, 2, 5};
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture fixtures[3];
        imp_BodyId last = {0};
        for (int i = 0; i < 3; ++i)
            fixtures[i] = contact_fixture_make(thread_counts[i]);
        for (int k = 0; k < BODY_COUNT; ++k) {
            int shape = (int)test_random_below(SHAPE_COUNT);
            imp_Pose pose = random_pose(1.2);
            for (int i = 0; i < 3; ++i)
                last = place(&fixtures[i], make_shape(fixtures[i].context, shape), pose);
        }
        for (int step = 0; step < 4; ++step) {
            imp_Pose pose = random_pose(1.2);
            const imp_Report *report = find_contacts(&fixtures[0]), *other = NULL;
            contacts += report->contact_count;
            for (int i = 1; i < 3; ++i) {
                // The last of them forgets each time what it knew.
                if (i == 2)
                    CHECK_INT(imp_world_detect(fixtures[i].world, NULL, &other), IMP_STATUS_OK);
                CHECK(same_contacts(report, find_contacts(&fixtures[i])));
            }
            for (int method = IMP_METHOD_EXACT_BOXES; method <= IMP_METHOD_POSED_BOXES; ++method) {
                imp_DetectDef def = {.contacts = true, .method = (imp_DetectMethod)method};
                CHECK_INT(imp_world_detect(fixtures[2].world, &def, &other), IMP_STATUS_OK);
                CHECK(same_contacts(report, other));
            }
            for (int i = 0; i < 3; ++i)
                CHECK_INT(imp_body_set_pose(fixtures[i].world, last, pose), IMP_STATUS_OK);
        }
        for (int i = 0; i < 3; ++i)
            contact_fixture_destroy(&fixtures[i]);
    }
    CHECK(contacts > count * BODY_COUNT);
}
