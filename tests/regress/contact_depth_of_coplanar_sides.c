// Side faces of two bodies in one plane: the pieces of them that lie beside the common part counted as
// possibly inside, however far they were divided, so that walls in line with each other that overlapped by a
// micrometre had an upper bound a hundred times the depth, after 131,072 searches. Where they were in one
// plane but for rounding, the lower bound was wrong: the side of a piece was told by its centre, which is
// rounded too.
#include "contact_fixture.h"

typedef struct Span {
    double low, high;
} Span;

// Along x, y and z.
typedef struct Bar {
    Span spans[3];
} Bar;

static double *coordinate(imp_Vec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

// ---- bars in any triangulation

#define MAX_STEPS 3
#define MAX_FACES (6 * MAX_STEPS * MAX_STEPS * 2)

typedef struct FaceList {
    imp_Vec3 corners[3 * MAX_FACES];
    uint32_t count; // of corners
} FaceList;

static void add_face(FaceList *list, imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, bool is_turned)
{
    list->corners[list->count++] = a;
    list->corners[list->count++] = is_turned ? c : b;
    list->corners[list->count++] = is_turned ? b : c;
}

static double step_of(Span span, int i, int steps)
{
    return i == steps ? span.high : span.low + i * (span.high - span.low) / steps;
}

// Where the cell is least and greatest along both axes of its side. One of its diagonals, at random.
static void add_cell(FaceList *list, const Bar *bar, int axis, bool is_high, const int cell[2],
                     const int steps[3])
{
    imp_Vec3 corners[4];
    int u = (axis + 1) % 3, w = (axis + 2) % 3;
    for (int i = 0; i < 4; ++i) {
        *coordinate(&corners[i], axis) = is_high ? bar->spans[axis].high : bar->spans[axis].low;
        *coordinate(&corners[i], u) = step_of(bar->spans[u], cell[0] + (i == 1 || i == 2), steps[u]);
        *coordinate(&corners[i], w) = step_of(bar->spans[w], cell[1] + (i >= 2), steps[w]);
    }
    uint32_t from = test_random_below(2);
    for (uint32_t i = 0; i < 2; ++i) {
        uint32_t first = from + 2 * i;
        add_face(list, corners[first], corners[(first + 1) % 4], corners[(first + 2) % 4], !is_high);
    }
}

// Every side a grid of `steps` cells along each axis.
static imp_Mesh *bar_mesh(const ContactFixture *fixture, const Bar *bar, const int steps[3])
{
    FaceList list = {.count = 0};
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
            for (int i = 0; i < steps[(axis + 1) % 3]; ++i)
                for (int k = 0; k < steps[(axis + 2) % 3]; ++k)
                    add_cell(&list, bar, axis, side == 1, (const int[]){i, k}, steps);
    uint32_t indices[3 * MAX_FACES];
    for (uint32_t i = 0; i < list.count; ++i)
        indices[i] = i;
    imp_MeshDef def = {.vertices = &list.corners[0].x,
                       .vertex_count = list.count,
                       .indices = indices,
                       .triangle_count = list.count / 3};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(fixture->context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

// ---- how deep they are

static double least_to_ends(Span span, double place)
{
    return fmin(place - span.low, span.high - place);
}

// How far from the ends of a span a place in both spans can be.
static double most_to_ends(Span span, Span other)
{
    double middle = fmin(fmax(span.low + (span.high - span.low) / 2, other.low), other.high);
    return least_to_ends(span, middle);
}

// How deep a side of one is in the other. What lies in a side moves along each axis alone, and the nearest of
// the other's sides is the least of three distances, one for each axis: so the most of the least is the least
// of the most.
static double depth_of_side(const Bar *one, const Bar *other, int axis, double place)
{
    double depth = least_to_ends(other->spans[axis], place);
    for (int i = 1; i < 3; ++i) {
        int across = (axis + i) % 3;
        depth = fmin(depth, most_to_ends(other->spans[across], one->spans[across]));
    }
    return depth;
}

static double depth_of_bars(const Bar bars[2])
{
    double depth = 0;
    for (int one = 0; one < 2; ++one)
        for (int axis = 0; axis < 3; ++axis) {
            Span span = bars[one].spans[axis];
            depth = fmax(depth, depth_of_side(&bars[one], &bars[!one], axis, span.low));
            depth = fmax(depth, depth_of_side(&bars[one], &bars[!one], axis, span.high));
        }
    return depth;
}

// The deepest region is as deep as that, up to `error`, and every region as accurate as it says. Are all as
// accurate as promised?
static bool check_depth(const imp_Report *report, double depth, double largest, double error)
{
    double lower = 0, upper = 0;
    bool is_accurate = true;
    for (size_t i = 0; i < report->contact_count; ++i) {
        const imp_Contact *contact = &report->contacts[i];
        double least = contact->depth_lower_bound + 0x1p-41 * largest * (1 + 1e-12);
        CHECK(contact->depth_is_known);
        CHECK(!contact->depth_reached_accuracy ||
              contact->depth <= fmax(1.01 * contact->depth_lower_bound, least));
        is_accurate &= contact->depth_reached_accuracy;
        lower = fmax(lower, contact->depth_lower_bound);
        upper = fmax(upper, contact->depth);
    }
    CHECK(lower <= depth + error);
    CHECK(depth <= upper + error);
    return is_accurate;
}

// ---- random bars

// Spans that share none, one or both of their ends.
static void random_spans(Span *a, Span *b)
{
    *a = (Span){0, 1};
    switch (test_random_below(5)) {
    case 0:
        *b = (Span){0, 1.5};
        break;
    case 1:
        *b = (Span){0.25, 1};
        break;
    case 2:
        *b = (Span){-0.5, 0.375};
        break;
    default:
        *b = *a;
        break;
    }
}

static Span shifted(Span span, double shift)
{
    return (Span){span.low + shift, span.high + shift};
}

// One on top of the other, with an overlap of 2^-50 to a half.
static void random_bars(Bar bars[2])
{
    int along = (int)test_random_below(3);
    double overlap = ldexp(1, -1 - (int)test_random_below(50));
    for (int axis = 0; axis < 3; ++axis)
        random_spans(&bars[0].spans[axis], &bars[1].spans[axis]);
    bars[0].spans[along] = (Span){-1, test_random_below(2) ? 0 : overlap};
    bars[1].spans[along] = (Span){bars[0].spans[along].high - overlap, 1};
    if (test_random_below(8) == 0)
        bars[1] = bars[0];
    double shift = test_random_below(2) ? 0 : 64;
    for (int i = 0; i < 2; ++i)
        for (int axis = 0; axis < 3 && axis != along; ++axis)
            bars[i].spans[axis] = shifted(bars[i].spans[axis], shift);
}

static double largest_of(const Bar bars[2])
{
    double most = 0;
    for (int i = 0; i < 2; ++i)
        for (int axis = 0; axis < 3; ++axis)
            most = fmax(most, fmax(fabs(bars[i].spans[axis].low), fabs(bars[i].spans[axis].high)));
    return most;
}

static imp_Quat random_turn(void)
{
    double v[4], length = 0;
    for (int i = 0; i < 4; ++i) {
        v[i] = test_random_between(-1, 1);
        length += v[i] * v[i];
    }
    length = sqrt(length);
    return (imp_Quat){v[0] / length, v[1] / length, v[2] / length, v[3] / length};
}

static void add_bars(ContactFixture *fixture, const Bar bars[2], imp_Pose pose)
{
    for (int i = 0; i < 2; ++i) {
        bool is_plain = test_random_below(2) == 0;
        int steps[3];
        for (int axis = 0; axis < 3; ++axis)
            steps[axis] = is_plain ? 1 : 1 + (int)test_random_below(MAX_STEPS);
        place(fixture, bar_mesh(fixture, &bars[i], steps), pose);
    }
}

TEST(bars_in_line_have_their_depth)
{
    uint64_t count = test_count(400), shallow = 0, deep = 0;
    const imp_Quat exact[] = {{1, 0, 0, 0}, {0, 0, 1, 0}, {0.5, 0.5, 0.5, 0.5}, {-0.5, 0.5, -0.5, 0.5}};
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture fixture = contact_fixture_make(1);
        Bar bars[2];
        random_bars(bars);
        double depth = depth_of_bars(bars);
        add_bars(&fixture, bars, (imp_Pose){.rotation = exact[test_random_below(4)]});
        const imp_Report *report = find_contacts(&fixture);
        CHECK(report->contact_count > 0);
        CHECK(check_depth(report, depth, largest_of(bars), 0));
        shallow += depth > 0 && depth < 1e-6;
        deep += depth > 1e-6;
        contact_fixture_destroy(&fixture);
    }
    CHECK(shallow > count / 4 && deep > count / 10);
}

// Sides that were in one plane are nearly so: they cross, or not, as they were rounded. Of some ten thousand
// such pairs one is divided as often as it may be before it is told accurately.
TEST(turned_bars_in_line_have_their_depth)
{
    uint64_t count = test_count(400), shallow = 0, deep = 0, inaccurate = 0;
    for (uint64_t n = 0; n < count; ++n) {
        ContactFixture fixture = contact_fixture_make(1);
        Bar bars[2];
        random_bars(bars);
        double depth = depth_of_bars(bars), largest = 2 * largest_of(bars);
        add_bars(&fixture, bars, (imp_Pose){.rotation = random_turn()});
        const imp_Report *report = find_contacts(&fixture);
        // One that only seems to touch, or to be the same, may have no contact.
        inaccurate += report->contact_count > 0 && !check_depth(report, depth, largest, 0x1p-48 * largest);
        shallow += report->contact_count > 0 && depth > 0 && depth < 1e-6;
        deep += report->contact_count > 0 && depth > 1e-6;
        contact_fixture_destroy(&fixture);
    }
    CHECK(shallow > count / 5 && deep > count / 10);
    CHECK(inaccurate <= count / 1000);
}

// ---- others

TEST(equal_prisms_on_each_other_have_their_depth)
{
    for (int exponent = -50; exponent < 0; ++exponent) {
        ContactFixture fixture = contact_fixture_make(1);
        imp_Mesh *prism = NULL;
        double overlap = ldexp(1, exponent);
        CHECK_INT(scene_l_prism(fixture.context, 1, &prism), IMP_STATUS_OK);
        place(&fixture, imp_mesh_retain(prism), (imp_Pose){0});
        place(&fixture, prism, (imp_Pose){.translation = {0, 0, 1 - overlap}});
        const imp_Report *report = find_contacts(&fixture);
        CHECK_INT((int64_t)report->contact_count, 1);
        CHECK(check_depth(report, overlap, 2, 0));
        contact_fixture_destroy(&fixture);
    }
}

// Moved in the plane of two sides by whatever it may be, they are still in line.
TEST(equal_boxes_moved_in_a_plane_have_their_depth)
{
    for (int exponent = -50; exponent < 0; ++exponent)
        for (int moves = 1; moves <= 2; ++moves) {
            ContactFixture fixture = contact_fixture_make(1);
            double shift = ldexp(1, exponent);
            Bar bars[2] = {{{{0, 1}, {0, 1}, {0, 1}}}, {{{0, 1}, {0, 1}, {0, 1}}}};
            for (int axis = 0; axis < moves; ++axis)
                bars[1].spans[axis] = shifted(bars[1].spans[axis], shift);
            for (int i = 0; i < 2; ++i)
                place(&fixture, bar_mesh(&fixture, &bars[i], (const int[]){1, 1, 1}), (imp_Pose){0});
            const imp_Report *report = find_contacts(&fixture);
            CHECK_INT((int64_t)report->contact_count, 1);
            CHECK(check_depth(report, depth_of_bars(bars), 1 + shift, 0));
            contact_fixture_destroy(&fixture);
        }
}

TEST(a_body_and_its_duplicate_have_no_depth)
{
    ContactFixture fixture = contact_fixture_make(1);
    imp_Mesh *box = box_mesh(&fixture, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 2, 3});
    place_two(&fixture, imp_mesh_retain(box), box);
    const imp_Report *report = find_contacts(&fixture);
    CHECK_INT((int64_t)report->contact_count, 1);
    CHECK(report->contact_count == 1 && report->contacts[0].depth == 0 &&
          report->contacts[0].depth_reached_accuracy);
    contact_fixture_destroy(&fixture);
}
