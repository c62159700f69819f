// Contacts whose regions, curves, normals and depths are known from theory.
#include "contact_fixture.h"

static const imp_Contact *contact_at(const ContactFixture *fixture, size_t number)
{
    static const imp_Contact none;
    return CHECK(number < fixture->report->contact_count) ? &fixture->report->contacts[number] : &none;
}

static void check_normal(const imp_Contact *contact, imp_NormalRule rule, double x, double y, double z)
{
    CHECK_INT(contact->normal_rule, rule);
    CHECK(fabs(contact->normal.x - x) < 1e-12 && fabs(contact->normal.y - y) < 1e-12 &&
          fabs(contact->normal.z - z) < 1e-12);
}

// The true depth lies between the bounds, which are 1 % apart.
static void check_depth(const imp_Contact *contact, double depth)
{
    CHECK(contact->depth_is_known && contact->depth_reached_accuracy);
    CHECK(contact->depth_lower_bound <= depth * (1 + 1e-12) && depth * (1 - 1e-12) <= contact->depth);
    CHECK(contact->depth <= 1.0101 * contact->depth_lower_bound);
}

static void check_only_touches(const imp_Contact *contact)
{
    CHECK(contact->depth_is_known && contact->depth_reached_accuracy);
    CHECK_DOUBLE(contact->depth, 0);
    CHECK_DOUBLE(contact->depth_lower_bound, 0);
}

static const imp_Polyline *only_line(const ContactFixture *fixture, const imp_Contact *contact)
{
    static const imp_Polyline none;
    return CHECK_INT((int64_t)contact->polyline_count, 1)
               ? &fixture->report->polylines[contact->first_polyline]
               : &none;
}

TEST(a_bar_through_a_thicker_one_has_two_regions)
{
    ContactFixture fixture = contact_fixture_make(1);
    place_two(&fixture, box_mesh(&fixture, (imp_Vec3){-5, -0.5, -0.5}, (imp_Vec3){5, 0.5, 0.5}),
              box_mesh(&fixture, (imp_Vec3){-1, -5, -1}, (imp_Vec3){1, 5, 1}));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 2);
    double sum = 0;
    for (size_t i = 0; i < 2; ++i) {
        const imp_Contact *contact = contact_at(&fixture, i);
        double x = contact->points[0].x;
        CHECK(x == 1 || x == -1);
        sum += x;
        // The bar comes in from either side.
        check_normal(contact, IMP_NORMAL_CURVE, -x, 0, 0);
        check_depth(contact, 1);
        CHECK(only_line(&fixture, contact)->is_closed);
        CHECK_INT(contact->point_count, 4);
    }
    CHECK_DOUBLE(sum, 0);
    contact_fixture_destroy(&fixture);
}

TEST(crossing_bars_without_a_vertex_inside_have_a_depth)
{
    ContactFixture fixture = contact_fixture_make(1);
    place_two(&fixture, box_mesh(&fixture, (imp_Vec3){-5, -0.5, -0.5}, (imp_Vec3){5, 0.5, 0.5}),
              box_mesh(&fixture, (imp_Vec3){-0.5, -5, -0.2}, (imp_Vec3){0.5, 5, 0.8}));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    const imp_Contact *contact = contact_at(&fixture, 0);
    check_normal(contact, IMP_NORMAL_CURVE, 0, 0, 1);
    check_depth(contact, 0.5);
    CHECK(only_line(&fixture, contact)->is_closed);
    contact_fixture_destroy(&fixture);
}

TEST(a_sphere_in_a_plane_is_as_deep_as_its_pole)
{
    ContactFixture fixture = contact_fixture_make(1);
    imp_Mesh *sphere = NULL;
    CHECK_INT(scene_sphere(fixture.context, 48, 24, 1, &sphere), IMP_STATUS_OK);
    imp_Mesh *ground = box_mesh(&fixture, (imp_Vec3){-10, -10, -2}, (imp_Vec3){10, 10, 0});
    fixture.a = place(&fixture, sphere, (imp_Pose){.translation = {0.01, 0.02, 0.9}});
    fixture.b = place(&fixture, ground, (imp_Pose){0});
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    const imp_Contact *contact = contact_at(&fixture, 0);
    check_normal(contact, IMP_NORMAL_CURVE, 0, 0, -1);
    check_depth(contact, 0.1);
    CHECK(only_line(&fixture, contact)->is_closed);
    for (size_t i = 0; i < fixture.report->curve_point_count; ++i)
        CHECK(fabs(fixture.report->curve_points[i].z) < 1e-15);
    contact_fixture_destroy(&fixture);
}

TEST(a_box_on_a_box_only_touches)
{
    for (int overhang = 0; overhang <= 1; ++overhang) {
        ContactFixture fixture = contact_fixture_make(1);
        double size = overhang ? 0.75 : 3;
        place_two(&fixture, box_mesh(&fixture, (imp_Vec3){-1, -1, 0}, (imp_Vec3){1, 1, 2}),
                  box_mesh(&fixture, (imp_Vec3){-size, -size, -1}, (imp_Vec3){size, size, 0}));
        CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
        const imp_Contact *contact = contact_at(&fixture, 0);
        check_normal(contact, IMP_NORMAL_FACES, 0, 0, -1);
        check_only_touches(contact);
        CHECK_INT(contact->point_count, 4);
        for (uint32_t i = 0; i < contact->point_count; ++i)
            CHECK(fabs(contact->points[i].x) == (overhang ? size : 1) && contact->points[i].z == 0);
        CHECK_INT((int64_t)contact->face_count, (int64_t)fixture.report->face_pair_count);
        contact_fixture_destroy(&fixture);
    }
}

TEST(a_box_just_below_the_top_of_a_table_is_cheap_and_sharp)
{
    ContactFixture fixture = contact_fixture_make(1);
    imp_Mesh *box = box_mesh(&fixture, (imp_Vec3){-1, -1, 0}, (imp_Vec3){1, 1, 2});
    imp_Mesh *table = box_mesh(&fixture, (imp_Vec3){-3, -3, -1}, (imp_Vec3){3, 3, 0});
    fixture.a = place(&fixture, box, (imp_Pose){.translation.z = -0x1p-20, .rotation = {0.8, 0, 0, 0.6}});
    fixture.b = place(&fixture, table, (imp_Pose){0});
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    check_depth(contact_at(&fixture, 0), 0x1p-20);
    check_normal(contact_at(&fixture, 0), IMP_NORMAL_CURVE, 0, 0, -1);
    contact_fixture_destroy(&fixture);
}

TEST(a_corner_in_a_box)
{
    ContactFixture fixture = contact_fixture_make(1);
    place_two(&fixture, box_mesh(&fixture, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}),
              box_mesh(&fixture, (imp_Vec3){0.75, 0.75, 0.75}, (imp_Vec3){2, 2, 2}));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    const imp_Contact *contact = contact_at(&fixture, 0);
    double part = 1 / sqrt(3);
    check_normal(contact, IMP_NORMAL_CURVE, part, part, part);
    check_depth(contact, 0.25);
    CHECK(only_line(&fixture, contact)->is_closed);
    contact_fixture_destroy(&fixture);
}

// Outward without and inward within.
static imp_Mesh *shell(const ContactFixture *fixture, double half, double cavity)
{
    imp_Mesh *outer = box_mesh(fixture, (imp_Vec3){-half, -half, -half}, (imp_Vec3){half, half, half});
    imp_Mesh *inner =
        box_mesh(fixture, (imp_Vec3){-cavity, -cavity, -cavity}, (imp_Vec3){cavity, cavity, cavity});
    imp_Mesh *flipped = NULL, *joined = NULL;
    CHECK_INT(scene_flip(fixture->context, inner, &flipped), IMP_STATUS_OK);
    CHECK_INT(scene_join(fixture->context, outer, flipped, &joined), IMP_STATUS_OK);
    imp_mesh_release(outer);
    imp_mesh_release(inner);
    imp_mesh_release(flipped);
    return joined;
}

TEST(a_bar_through_the_wall_of_a_shell_has_a_region_on_each_side)
{
    ContactFixture fixture = contact_fixture_make(1);
    place_two(&fixture, box_mesh(&fixture, (imp_Vec3){-3, -0.25, -0.25}, (imp_Vec3){0, 0.25, 0.25}),
              shell(&fixture, 2, 1));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 2);
    for (size_t i = 0; i < 2; ++i) {
        const imp_Contact *contact = contact_at(&fixture, i);
        bool is_outer = contact->points[0].x == -2;
        CHECK(is_outer || contact->points[0].x == -1);
        check_normal(contact, IMP_NORMAL_CURVE, is_outer ? 1 : -1, 0, 0);
        check_depth(contact, 0.5);
    }
    contact_fixture_destroy(&fixture);
}

TEST(nested_shells_that_do_not_touch_have_none)
{
    ContactFixture fixture = contact_fixture_make(1);
    place_two(&fixture, shell(&fixture, 2, 1.5), shell(&fixture, 1, 0.5));
    find_contacts(&fixture);
    CHECK_INT((int64_t)fixture.report->contact_count, 0);
    CHECK_INT((int64_t)fixture.report->body_pair_count, 0);
    contact_fixture_destroy(&fixture);
}

// Prongs of one body in one face of the other: each has a depth of its own.
TEST(prongs_in_one_face_are_told_apart)
{
    ContactFixture fixture = contact_fixture_make(1);
    imp_Mesh *deep = box_mesh(&fixture, (imp_Vec3){0, 0, -0.25}, (imp_Vec3){1, 1, 1});
    imp_Mesh *shallow = box_mesh(&fixture, (imp_Vec3){3, 0, -0.0625}, (imp_Vec3){4, 1, 1});
    imp_Mesh *both = NULL;
    CHECK_INT(scene_join(fixture.context, deep, shallow, &both), IMP_STATUS_OK);
    imp_mesh_release(deep);
    imp_mesh_release(shallow);
    place_two(&fixture, both, box_mesh(&fixture, (imp_Vec3){-9, -5, -4}, (imp_Vec3){20, 9, 0}));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 2);
    for (size_t i = 0; i < 2; ++i) {
        const imp_Contact *contact = contact_at(&fixture, i);
        check_depth(contact, contact->points[0].x < 2 ? 0.25 : 0.0625);
        check_normal(contact, IMP_NORMAL_CURVE, 0, 0, -1);
    }
    contact_fixture_destroy(&fixture);
}

// Faces that go through a body and its cavity: the piece in the wall is bounded on both sides.
TEST(a_piece_counts_for_every_curve_that_bounds_it)
{
    ContactFixture fixture = contact_fixture_make(1);
    // A plate through a block with a cavity, all around it.
    imp_Mesh *outer = box_mesh(&fixture, (imp_Vec3){-4, -4, -2}, (imp_Vec3){4, 4, 2});
    imp_Mesh *cavity = box_mesh(&fixture, (imp_Vec3){-1, -1, -1.5}, (imp_Vec3){1, 1, 1.5});
    imp_Mesh *flipped = NULL, *block = NULL;
    CHECK_INT(scene_flip(fixture.context, cavity, &flipped), IMP_STATUS_OK);
    CHECK_INT(scene_join(fixture.context, outer, flipped, &block), IMP_STATUS_OK);
    imp_mesh_release(outer);
    imp_mesh_release(cavity);
    imp_mesh_release(flipped);
    place_two(&fixture, box_mesh(&fixture, (imp_Vec3){-9, -9, -0.125}, (imp_Vec3){9, 9, 0.125}), block);
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 4);
    // On the diagonal, t from the middle along x and y: 4 - t from the block's sides, sqrt(2) (t - 1) from
    // the edge of the cavity.
    double t = (4 + sqrt(2)) / (1 + sqrt(2));
    for (size_t i = 0; i < 4; ++i)
        check_depth(contact_at(&fixture, i), 4 - t);
    contact_fixture_destroy(&fixture);
}

static imp_Mesh *tetrahedron(const ContactFixture *fixture, const double *xyz)
{
    const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 4, .indices = faces, .triangle_count = 4};
    CHECK_INT(imp_mesh_create(fixture->context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

TEST(a_vertex_that_touches_a_face_has_its_normal)
{
    ContactFixture fixture = contact_fixture_make(1);
    const double tip[] = {0.25, 0.5, 0, 1, 0, 2, 0, 1, 2, -1, -1, 2};
    place_two(&fixture, tetrahedron(&fixture, tip),
              box_mesh(&fixture, (imp_Vec3){-3, -3, -1}, (imp_Vec3){3, 3, 0}));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    const imp_Contact *contact = contact_at(&fixture, 0);
    check_normal(contact, IMP_NORMAL_FACE, 0, 0, -1);
    check_only_touches(contact);
    CHECK_INT(contact->point_count, 1);
    CHECK_INT((int64_t)contact->polyline_count, 0);
    CHECK(contact->points[0].x == 0.25 && contact->points[0].y == 0.5 && contact->points[0].z == 0);
    contact_fixture_destroy(&fixture);
}

// From a tenth down to what rounding allows: the bounds hold, and are as close as they are said to be.
TEST(shallow_tips_have_true_depths)
{
    for (double depth = 0.1; depth > 1e-15; depth /= 3) {
        ContactFixture fixture = contact_fixture_make(1);
        const double tip[] = {0.25, 0.5, -depth, 1, 0, 2, 0, 1, 2, -1, -1, 2};
        place_two(&fixture, tetrahedron(&fixture, tip),
                  box_mesh(&fixture, (imp_Vec3){-3, -3, -1}, (imp_Vec3){3, 3, 0}));
        CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
        const imp_Contact *contact = contact_at(&fixture, 0);
        CHECK(contact->depth_lower_bound <= depth && depth <= contact->depth);
        CHECK(contact->depth_reached_accuracy);
        CHECK(contact->depth <= 1.01 * contact->depth_lower_bound ||
              contact->depth <= contact->depth_lower_bound + 3 * 0x1p-41);
        check_normal(contact, IMP_NORMAL_CURVE, 0, 0, -1);
        contact_fixture_destroy(&fixture);
    }
}

TEST(an_edge_across_an_edge_is_square_to_both)
{
    ContactFixture fixture = contact_fixture_make(1);
    const double above[] = {-1, 0, 0, 1, 0, 0, 0, 1, 2, 0, -1, 2};
    const double below[] = {0, -1, 0, 0, 1, 0, 1, 0, -2, -1, 0, -2};
    place_two(&fixture, tetrahedron(&fixture, above), tetrahedron(&fixture, below));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    const imp_Contact *contact = contact_at(&fixture, 0);
    CHECK_INT((int64_t)contact->face_count, 4);
    check_normal(contact, IMP_NORMAL_EDGES, 0, 0, -1);
    check_only_touches(contact);
    CHECK_INT(contact->point_count, 1);
    CHECK(contact->points[0].x == 0 && contact->points[0].y == 0 && contact->points[0].z == 0);
    contact_fixture_destroy(&fixture);
}

TEST(a_body_that_touches_from_inside_is_deep)
{
    ContactFixture fixture = contact_fixture_make(1);
    place_two(&fixture, box_mesh(&fixture, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}),
              box_mesh(&fixture, (imp_Vec3){0.25, 0.25, 0}, (imp_Vec3){0.75, 0.75, 0.5}));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    check_depth(contact_at(&fixture, 0), 0.5);
    contact_fixture_destroy(&fixture);
}

TEST(a_body_on_itself_only_touches)
{
    ContactFixture fixture = contact_fixture_make(1);
    imp_Mesh *cube = box_mesh(&fixture, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1});
    place_two(&fixture, imp_mesh_retain(cube), cube);
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    check_only_touches(contact_at(&fixture, 0));
    CHECK_INT(contact_at(&fixture, 0)->normal_rule, IMP_NORMAL_ANY);
    contact_fixture_destroy(&fixture);
}

TEST(open_bodies_have_no_depth)
{
    ContactFixture fixture = contact_fixture_make(1);
    const double xyz[] = {-3, -3, 0, 3, -3, 0, 0, 3, 0};
    const uint32_t face[] = {0, 1, 2};
    imp_Mesh *sheet = NULL;
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 3, .indices = face, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(fixture.context, &def, &sheet), IMP_STATUS_OK);
    place_two(&fixture, box_mesh(&fixture, (imp_Vec3){-0.5, -0.5, -0.25}, (imp_Vec3){0.5, 0.5, 1}), sheet);
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    const imp_Contact *contact = contact_at(&fixture, 0);
    CHECK(!contact->depth_is_known && !contact->depth_reached_accuracy);
    CHECK_DOUBLE(contact->depth, 0);
    check_normal(contact, IMP_NORMAL_CURVE, 0, 0, -1);
    contact_fixture_destroy(&fixture);
}

TEST(deformed_bodies_are_looked_at_as_they_are)
{
    ContactFixture fixture = contact_fixture_make(1);
    place_two(&fixture, box_mesh(&fixture, (imp_Vec3){-1, -1, 1}, (imp_Vec3){1, 1, 2}),
              box_mesh(&fixture, (imp_Vec3){-3, -3, -2}, (imp_Vec3){3, 3, 0}));
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 0);
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_body_get_mesh(fixture.world, fixture.a, &mesh), IMP_STATUS_OK);
    imp_Vec3 vertices[8];
    CHECK_INT((int64_t)imp_mesh_get_vertex_count(mesh), 8);
    for (int i = 0; i < 8; ++i) {
        vertices[i] = imp_mesh_get_vertices(mesh)[i];
        if (vertices[i].z == 1)
            vertices[i].z = -0.5;
    }
    CHECK_INT(imp_body_set_vertices(fixture.world, fixture.a, &vertices[0].x, 8), IMP_STATUS_OK);
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 1);
    check_depth(contact_at(&fixture, 0), 0.5);
    check_normal(contact_at(&fixture, 0), IMP_NORMAL_CURVE, 0, 0, -1);
    contact_fixture_destroy(&fixture);
}

static imp_BodyId place_solid(ContactFixture *fixture, double half, double z)
{
    imp_Vec3 corners[8];
    for (int i = 0; i < 8; ++i)
        corners[i] = (imp_Vec3){i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half};
    imp_Convex *solid = NULL;
    imp_BodyId id = {0};
    CHECK_INT(imp_convex_create(fixture->context, &(imp_ConvexDef){.points = &corners[0].x, .point_count = 8},
                                &solid),
              IMP_STATUS_OK);
    CHECK_INT(
        imp_world_add_body(fixture->world, &(imp_BodyDef){.convex = solid, .pose.translation.z = z}, &id),
        IMP_STATUS_OK);
    imp_convex_release(solid);
    return id;
}

TEST(solids_have_contacts_where_their_surfaces_touch)
{
    ContactFixture fixture = contact_fixture_make(1);
    place_solid(&fixture, 1, 2.75);
    place_solid(&fixture, 2, 0);
    imp_BodyId within = place_solid(&fixture, 0.5, 0);
    find_contacts(&fixture);
    CHECK_INT((int64_t)fixture.report->body_pair_count, 2);
    CHECK_INT((int64_t)fixture.report->contact_count, 1);
    check_depth(contact_at(&fixture, 0), 0.25);
    check_normal(contact_at(&fixture, 0), IMP_NORMAL_CURVE, 0, 0, -1);
    // One inside of the other shares no faces with it: it has none, and that is all there is to say.
    CHECK_INT(fixture.report->body_pairs[1].body_b.slot, within.slot);
    CHECK_INT(fixture.report->body_pairs[1].unanswered, 0);
    contact_fixture_destroy(&fixture);
}

TEST(pairs_at_rest_keep_their_contacts)
{
    ContactFixture fixture = contact_fixture_make(1), fresh = contact_fixture_make(1);
    imp_BodyId last = {0};
    ContactFixture *const fixtures[] = {&fixture, &fresh};
    for (int i = 0; i < 2; ++i) {
        place_two(fixtures[i], box_mesh(fixtures[i], (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}),
                  box_mesh(fixtures[i], (imp_Vec3){0.5, 0.5, 0.5}, (imp_Vec3){2, 2, 2}));
        for (int k = 0; k < 2; ++k)
            last = place(fixtures[i],
                         box_mesh(fixtures[i], (imp_Vec3){-1, -1, -1}, (imp_Vec3){0.25, 0.25, 0.25}),
                         (imp_Pose){.translation.x = k * 0.125});
    }
    find_contacts(&fixture);
    for (int step = 0; step < 4; ++step) {
        imp_Pose pose = {.translation.x = step % 2 ? 0.375 : 5};
        CHECK_INT(imp_body_set_pose(fixture.world, last, pose), IMP_STATUS_OK);
        CHECK_INT(imp_body_set_pose(fresh.world, last, pose), IMP_STATUS_OK);
        const imp_Report *report = NULL;
        CHECK_INT(imp_world_detect(fresh.world, NULL, &report), IMP_STATUS_OK); // forgets the contacts
        CHECK_INT((int64_t)report->contact_count, 0);
        CHECK(same_contacts(find_contacts(&fixture), find_contacts(&fresh)));
        CHECK(fixture.report->contact_count > 1);
    }
    contact_fixture_destroy(&fixture);
    contact_fixture_destroy(&fresh);
}

TEST(contacts_are_refused_in_other_modes)
{
    ContactFixture fixture = contact_fixture_make(1);
    const imp_Report *report = NULL;
    for (int mode = IMP_DETECT_BODIES; mode <= IMP_DETECT_FIRST; ++mode) {
        imp_DetectDef def = {.mode = (imp_DetectMode)mode, .contacts = true};
        CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_BAD_ARGUMENT);
        CHECK_CONTAINS(imp_context_get_error(fixture.context)->message, "contacts");
        CHECK(report == NULL);
    }
    CHECK_INT((int64_t)find_contacts(&fixture)->contact_count, 0);
    contact_fixture_destroy(&fixture);
}

TEST(pairs_whose_faces_are_not_all_listed_have_no_contacts)
{
    for (int counts = 0; counts <= 1; ++counts) {
        ContactFixture fixture = contact_fixture_make(1);
        for (int i = 0; i < 3; ++i)
            place(&fixture, box_mesh(&fixture, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}),
                  (imp_Pose){.translation = {0.75 * i, 0.75 * i, 0.75 * i}});
        size_t faces = find_contacts(&fixture)->face_pair_count;
        CHECK_INT((int64_t)fixture.report->contact_count, 2);
        imp_DetectDef def = {.contacts = true, .max_face_pairs = faces - 1, .count_all = counts};
        CHECK_INT(imp_world_detect(fixture.world, &def, &fixture.report), IMP_STATUS_OK);
        CHECK(fixture.report->truncated);
        CHECK_INT((int64_t)fixture.report->contact_count, 1);
        CHECK_INT(fixture.report->contacts[0].body_b.slot, 2);
        CHECK_INT(fixture.report->body_pairs[0].unanswered, 0);
        CHECK(fixture.report->body_pairs[1].unanswered & IMP_QUESTION_CONTACTS);
        contact_fixture_destroy(&fixture);
    }
}

// A pair at rest whose faces are pushed beyond the limit by those of an earlier pair loses its contacts.
TEST(pairs_at_rest_beyond_the_limit_have_no_contacts)
{
    ContactFixture fixture = contact_fixture_make(1);
    imp_BodyId first = {0};
    for (int i = 0; i < 3; ++i) {
        imp_BodyId id = place(&fixture, box_mesh(&fixture, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}),
                              (imp_Pose){.translation = {i == 0 ? -9 : 0.75 * i, 0.75 * i, 0.75 * i}});
        first = i == 0 ? id : first;
    }
    size_t faces = find_contacts(&fixture)->face_pair_count;
    for (int counts = 0; counts <= 1; ++counts) {
        imp_DetectDef def = {.contacts = true, .max_face_pairs = faces + 1, .count_all = counts};
        CHECK_INT(imp_body_set_pose(fixture.world, first, (imp_Pose){.translation.x = -9}), IMP_STATUS_OK);
        CHECK_INT(imp_world_detect(fixture.world, &def, &fixture.report), IMP_STATUS_OK);
        CHECK_INT((int64_t)fixture.report->contact_count, 1);
        CHECK_INT(imp_body_set_pose(fixture.world, first, (imp_Pose){0}), IMP_STATUS_OK);
        CHECK_INT(imp_world_detect(fixture.world, &def, &fixture.report), IMP_STATUS_OK);
        CHECK(fixture.report->truncated);
        CHECK_INT((int64_t)fixture.report->contact_count, 1);
        CHECK_INT(fixture.report->contacts[0].body_a.slot, first.slot);
        CHECK_INT((int64_t)fixture.report->body_pair_count, 2);
        CHECK(fixture.report->body_pairs[1].unanswered & IMP_QUESTION_CONTACTS);
    }
    contact_fixture_destroy(&fixture);
}

TEST(a_budget_that_is_spent_leaves_contacts_unanswered)
{
    ContactFixture fixture = contact_fixture_make(1);
    imp_Mesh *sphere = NULL;
    CHECK_INT(scene_sphere(fixture.context, 64, 32, 1, &sphere), IMP_STATUS_OK);
    for (int i = 0; i < 4; ++i)
        place(&fixture, imp_mesh_retain(sphere), (imp_Pose){.translation = {0.5 * i, 0.01 * i, 0}});
    imp_mesh_release(sphere);
    int spent = 0;
    imp_DetectDef def = {.contacts = true, .budget_us = 1};
    for (int i = 0; i < 1000 && !(i > 0 && !fixture.report->budget_spent);
         ++i, def.budget_us += 1 + def.budget_us / 2) {
        CHECK_INT(imp_world_detect(fixture.world, &def, &fixture.report), IMP_STATUS_OK);
        spent += fixture.report->budget_spent;
        for (size_t k = 0; k < fixture.report->body_pair_count; ++k) {
            const imp_BodyPair *pair = &fixture.report->body_pairs[k];
            size_t found = 0;
            for (size_t c = 0; c < fixture.report->contact_count; ++c)
                found +=
                    memcmp(&fixture.report->contacts[c].body_a, &pair->body_a, 2 * sizeof pair->body_a) == 0;
            CHECK_INT(found == 0, (pair->unanswered & IMP_QUESTION_CONTACTS) != 0);
        }
    }
    CHECK(spent > 0 && !fixture.report->budget_spent);
    CHECK(fixture.report->contact_count >= 6);
    contact_fixture_destroy(&fixture);
}
