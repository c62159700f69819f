#include "playback/overlaps.h"

#include "base/array.h"
#include "base/context.h"

#include <string.h>

#define ABOVE      1u
#define BELOW      2u
#define BOTH_SIDES (ABOVE | BELOW)

// Points from deep inside of a body that keeps its shape, found when they are first needed.
typedef struct Interior {
    bool is_known;
    imp_InteriorPoint *points;
    size_t count;
} Interior;

struct impi_OverlapJudge {
    imp_Context *context;
    const impi_Motion *motion;
    impi_TouchDepthFn touch_depth;
    const void *user;
    Interior *interiors;   // of each body
    imp_Vec3 *vertices[2]; // room for those of any body
    uint8_t *sides[2];     // by faces: on which sides of each those lie that touch it; all 0 between regions
    size_t most_vertices, most_triangles;
    IMPI_ARRAY(bool) overlaps;
};

// A body where it is.
typedef struct Placed {
    imp_Mesh *mesh;
    const imp_Vec3 *vertices; // in its own frame
    imp_Transform transform;
    bool deforms;
} Placed;

static const imp_Allocator *allocator_of(const impi_OverlapJudge *judge)
{
    return &judge->context->allocator;
}

imp_Status impi_overlap_judge_create(imp_Context *context, const impi_Motion *motion,
                                     impi_TouchDepthFn touch_depth, const void *user,
                                     impi_OverlapJudge **judge)
{
    const imp_Allocator *allocator = &context->allocator;
    impi_OverlapJudge *made = impi_allocate(allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (impi_OverlapJudge){.context = context,
                                .motion = motion,
                                .touch_depth = touch_depth,
                                .user = user,
                                .most_vertices = impi_motion_most_vertices(motion),
                                .most_triangles = impi_motion_most_triangles(motion)};
    made->interiors = impi_allocate_array(allocator, motion->body_count, sizeof *made->interiors);
    bool has_room = motion->body_count == 0 || made->interiors;
    for (int i = 0; i < 2; ++i) {
        made->vertices[i] = impi_allocate_array(allocator, made->most_vertices, sizeof *made->vertices[i]);
        made->sides[i] = impi_allocate_array(allocator, made->most_triangles, sizeof *made->sides[i]);
        has_room = has_room && (made->most_vertices == 0 || made->vertices[i]) &&
                   (made->most_triangles == 0 || made->sides[i]);
        if (made->sides[i])
            memset(made->sides[i], 0, made->most_triangles);
    }
    for (size_t i = 0; made->interiors && i < motion->body_count; ++i)
        made->interiors[i] = (Interior){.count = 0};
    if (has_room) {
        *judge = made;
        return IMP_STATUS_OK;
    }
    impi_overlap_judge_destroy(made);
    return impi_fail_out_of_memory(context);
}

void impi_overlap_judge_destroy(impi_OverlapJudge *judge)
{
    if (!judge)
        return;
    const imp_Allocator *allocator = allocator_of(judge);
    for (size_t i = 0; judge->interiors && i < judge->motion->body_count; ++i)
        impi_release(allocator, judge->interiors[i].points,
                     judge->interiors[i].count * sizeof *judge->interiors[i].points);
    impi_release(allocator, judge->interiors, judge->motion->body_count * sizeof *judge->interiors);
    for (int i = 0; i < 2; ++i) {
        impi_release(allocator, judge->vertices[i], judge->most_vertices * sizeof *judge->vertices[i]);
        impi_release(allocator, judge->sides[i], judge->most_triangles * sizeof *judge->sides[i]);
    }
    impi_array_free(allocator, &judge->overlaps, sizeof *judge->overlaps.data);
    impi_release(allocator, judge, sizeof *judge);
}

static uint32_t body_number(imp_BodyId id)
{
    return id.slot - 1; // as in the history
}

static imp_Status place(impi_OverlapJudge *judge, uint32_t frame, uint32_t body, int which, Placed *placed)
{
    impi_MotionBody source = impi_motion_body(judge->motion, body);
    imp_Pose pose;
    imp_Status status =
        impi_motion_place(judge->context, judge->motion, frame, body, &pose, judge->vertices[which]);
    if (status != IMP_STATUS_OK)
        return status;
    *placed =
        (Placed){source.mesh, source.deforms ? judge->vertices[which] : imp_mesh_get_vertices(source.mesh),
                 .deforms = source.deforms};
    return imp_pose_transform(&pose, &placed->transform);
}

// ---- open surfaces that cross

static void place_face(const Placed *placed, uint32_t face, imp_Vec3 corners[3])
{
    const uint32_t *indices = imp_mesh_get_indices(placed->mesh) + 3 * (size_t)face;
    for (int i = 0; i < 3; ++i)
        corners[i] = imp_transform_apply(&placed->transform, placed->vertices[indices[i]]);
}

// On which sides of a plane through three points others lie, exactly; none for points on a line.
static unsigned sides_of(const imp_Vec3 plane[3], const imp_Vec3 corners[3])
{
    unsigned sides = 0;
    for (int i = 0; i < 3; ++i) {
        int sign = 0;
        if (imp_orient3d(plane[0], plane[1], plane[2], corners[i], &sign) == IMP_STATUS_OK)
            sides |= sign > 0 ? ABOVE : sign < 0 ? BELOW : 0;
    }
    return sides;
}

// A sheet that ends on another has it on both sides, but is itself on one side of it; sheets whose borders
// touch in a point share no curve.
static bool surfaces_cross(impi_OverlapJudge *judge, const Placed placed[2], const imp_Report *report,
                           const imp_Contact *contact)
{
    const imp_TouchingFaces *pairs = report->contact_faces + contact->first_face;
    uint8_t *of_a = judge->sides[0], *of_b = judge->sides[1];
    bool cross = false;
    if (contact->polyline_count == 0)
        return false;
    for (size_t i = 0; i < contact->face_count; ++i) {
        imp_Vec3 a[3], b[3];
        place_face(&placed[0], pairs[i].face_a, a);
        place_face(&placed[1], pairs[i].face_b, b);
        of_a[pairs[i].face_a] |= (uint8_t)sides_of(a, b);
        of_b[pairs[i].face_b] |= (uint8_t)sides_of(b, a);
    }
    for (size_t i = 0; i < contact->face_count; ++i)
        cross = cross || (of_a[pairs[i].face_a] == BOTH_SIDES && of_b[pairs[i].face_b] == BOTH_SIDES);
    for (size_t i = 0; i < contact->face_count; ++i)
        of_a[pairs[i].face_a] = of_b[pairs[i].face_b] = 0;
    return cross;
}

// ---- bodies that hold each other although their surfaces reach nowhere deep

// The shape of a body as a mesh, to be released.
static imp_Status shape_of(impi_OverlapJudge *judge, const Placed *placed, imp_Mesh **mesh)
{
    if (!placed->deforms) {
        *mesh = imp_mesh_retain(placed->mesh);
        return IMP_STATUS_OK;
    }
    imp_MeshDef def = {.vertices = &placed->vertices->x,
                       .vertex_count = imp_mesh_get_vertex_count(placed->mesh),
                       .indices = imp_mesh_get_indices(placed->mesh),
                       .triangle_count = imp_mesh_get_triangle_count(placed->mesh)};
    return imp_mesh_create(judge->context, &def, mesh);
}

// `*count` of `points`, to be released.
static imp_Status list_points(impi_OverlapJudge *judge, const imp_Mesh *mesh, Interior *interior)
{
    size_t room = 1;
    imp_Status status = IMP_STATUS_BUFFER_SHORT;
    while (status == IMP_STATUS_BUFFER_SHORT) {
        imp_InteriorPoint *points = impi_allocate_array(allocator_of(judge), room, sizeof *points);
        size_t count = 0;
        if (!points)
            return impi_fail_out_of_memory(judge->context);
        status = imp_mesh_interior_points(judge->context, mesh, points, room, &count);
        if (status == IMP_STATUS_OK && count == room) {
            *interior = (Interior){true, points, count};
            return status;
        }
        impi_release(allocator_of(judge), points, room * sizeof *points);
        room = count;
        if (status == IMP_STATUS_BAD_SHAPE || count == 0)
            break;
    }
    if (status == IMP_STATUS_BAD_SHAPE || status == IMP_STATUS_OK) {
        *interior = (Interior){.is_known = true};
        return IMP_STATUS_OK;
    }
    return status;
}

// A point in the frame of a body. Rounding is of no matter: the point is deep inside of the other, and
// whether it is inside of this one changes only across its surface, which reaches nowhere deep there.
static imp_Vec3 into_frame(const imp_Transform *transform, imp_Vec3 point)
{
    const double(*m)[3] = transform->rows;
    imp_Vec3 d = {point.x - transform->translation.x, point.y - transform->translation.y,
                  point.z - transform->translation.z};
    return (imp_Vec3){m[0][0] * d.x + m[1][0] * d.y + m[2][0] * d.z,
                      m[0][1] * d.x + m[1][1] * d.y + m[2][1] * d.z,
                      m[0][2] * d.x + m[1][2] * d.y + m[2][2] * d.z};
}

static bool is_in_box(const imp_Box *box, imp_Vec3 p)
{
    return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y &&
           p.z >= box->min.z && p.z <= box->max.z;
}

// Surfaces that reach into each other by at most `depth` leave a point that is twice as deep inside of one
// more than `depth` away from the other's surface.
static imp_Status holds_any(impi_OverlapJudge *judge, const Placed *outer, const imp_Mesh *outer_mesh,
                            const Placed *inner, const Interior *interior, double depth, bool *holds)
{
    imp_Box box = imp_mesh_get_bounds(outer_mesh);
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < interior->count && status == IMP_STATUS_OK && !*holds; ++i) {
        imp_Vec3 world = imp_transform_apply(&inner->transform, interior->points[i].position);
        imp_Vec3 point = into_frame(&outer->transform, world);
        imp_PointLocation location = IMP_LOCATION_OUTSIDE;
        if (!(interior->points[i].depth > 2 * depth) || !is_in_box(&box, point))
            continue;
        status = imp_mesh_locate_points(judge->context, outer_mesh, &point, 1, &location);
        *holds = location == IMP_LOCATION_INSIDE;
    }
    return status;
}

// `inner` is body number `body`. Its points are kept unless it deforms.
static imp_Status holds_inside_of(impi_OverlapJudge *judge, const Placed *outer, const Placed *inner,
                                  uint32_t body, double depth, bool *holds)
{
    imp_Mesh *outer_mesh = NULL, *inner_mesh = NULL;
    Interior own = {.count = 0}, *interior = inner->deforms ? &own : &judge->interiors[body];
    imp_Status status = shape_of(judge, outer, &outer_mesh);
    if (status == IMP_STATUS_OK && !interior->is_known) {
        status = shape_of(judge, inner, &inner_mesh);
        if (status == IMP_STATUS_OK)
            status = list_points(judge, inner_mesh, interior);
        imp_mesh_release(inner_mesh);
    }
    if (status == IMP_STATUS_OK)
        status = holds_any(judge, outer, outer_mesh, inner, interior, depth, holds);
    if (inner->deforms)
        impi_release(allocator_of(judge), own.points, own.count * sizeof *own.points);
    imp_mesh_release(outer_mesh);
    return status;
}

static imp_Status hold_each_other(impi_OverlapJudge *judge, const Placed placed[2],
                                  const imp_Contact *contact, double depth, bool *hold)
{
    imp_Status status =
        holds_inside_of(judge, &placed[1], &placed[0], body_number(contact->body_a), depth, hold);
    if (status == IMP_STATUS_OK && !*hold)
        status = holds_inside_of(judge, &placed[0], &placed[1], body_number(contact->body_b), depth, hold);
    return status;
}

// ---- the contacts of a frame

static bool is_same_pair(const imp_Contact *a, const imp_Contact *b)
{
    return a->body_a.slot == b->body_a.slot && a->body_b.slot == b->body_b.slot;
}

// The contacts [begin, end) of one pair of bodies.
static imp_Status judge_pair(impi_OverlapJudge *judge, uint32_t frame, const imp_Report *report, size_t begin,
                             size_t end)
{
    const imp_Contact *first = &report->contacts[begin];
    uint32_t a = body_number(first->body_a), b = body_number(first->body_b);
    double depth = judge->touch_depth(a, b, judge->user);
    bool any = false, all_known = true;
    Placed placed[2];
    imp_Status status = place(judge, frame, a, 0, &placed[0]);
    if (status == IMP_STATUS_OK)
        status = place(judge, frame, b, 1, &placed[1]);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = begin; i < end; ++i) {
        const imp_Contact *contact = &report->contacts[i];
        bool overlap =
            contact->depth_is_known ? contact->depth > depth : surfaces_cross(judge, placed, report, contact);
        judge->overlaps.data[i] = overlap;
        any = any || overlap;
        all_known = all_known && contact->depth_is_known;
    }
    if (any || !all_known)
        return status;
    status = hold_each_other(judge, placed, first, depth, &any);
    for (size_t i = begin; i < end; ++i)
        judge->overlaps.data[i] = any;
    return status;
}

imp_Status impi_overlaps_judge(impi_OverlapJudge *judge, uint32_t frame, const imp_Report *report,
                               const bool **overlaps)
{
    size_t count = report->contact_count;
    imp_Status status = IMP_STATUS_OK;
    // One more, so that there is a list where there are no contacts.
    if (!impi_array_reserve(allocator_of(judge), &judge->overlaps, sizeof *judge->overlaps.data, count + 1))
        return impi_fail_out_of_memory(judge->context);
    judge->overlaps.count = count;
    for (size_t begin = 0, end; begin < count && status == IMP_STATUS_OK; begin = end) {
        for (end = begin + 1; end < count && is_same_pair(&report->contacts[begin], &report->contacts[end]);)
            ++end;
        status = judge_pair(judge, frame, report, begin, end);
    }
    *overlaps = judge->overlaps.data;
    return status;
}

bool impi_bodies_overlap(const imp_Report *report, const bool *overlaps, uint32_t body_a, uint32_t body_b,
                         size_t *next)
{
    const imp_Contact *all = report->contacts;
    bool any = false, overlap = false;
    for (; *next < report->contact_count; ++*next) {
        uint32_t a = body_number(all[*next].body_a), b = body_number(all[*next].body_b);
        if (a > body_a || (a == body_a && b > body_b))
            break;
        if (a != body_a || b != body_b)
            continue;
        any = true;
        overlap = overlap || overlaps[*next];
    }
    return overlap || !any;
}
