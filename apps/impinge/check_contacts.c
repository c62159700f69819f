#include "check_contacts.h"

#include <stdlib.h>

#define ABOVE      1u
#define BELOW      2u
#define BOTH_SIDES (ABOVE | BELOW)

// The faces of two open bodies in a region, and on which sides of each the faces lie that touch it.
typedef struct Sides {
    const CheckScene *scene;
    uint8_t *of_a, *of_b; // by faces; all 0 between regions
} Sides;

static uint32_t body_number(imp_BodyId id)
{
    return id.slot - 1; // as in the history
}

static void place_face(const CheckScene *scene, imp_BodyId body, uint32_t face, imp_Vec3 corners[3])
{
    const impi_StillBody *still = &scene->bodies[body_number(body)];
    imp_Transform transform = {0};
    imp_Status status = imp_pose_transform(&still->pose, &transform);
    (void)status; // a world has taken it
    for (int i = 0; i < 3; ++i)
        corners[i] = imp_transform_apply(
            &transform, imp_mesh_get_vertices(
                            still->mesh)[imp_mesh_get_indices(still->mesh)[3 * (size_t)face + (size_t)i]]);
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
static bool surfaces_cross(const Sides *sides, const imp_Report *report, const imp_Contact *contact)
{
    const imp_TouchingFaces *pairs = report->contact_faces + contact->first_face;
    bool cross = false;
    if (contact->polyline_count == 0)
        return false;
    for (size_t i = 0; i < contact->face_count; ++i) {
        imp_Vec3 a[3], b[3];
        place_face(sides->scene, pairs[i].body_a, pairs[i].face_a, a);
        place_face(sides->scene, pairs[i].body_b, pairs[i].face_b, b);
        sides->of_a[pairs[i].face_a] |= (uint8_t)sides_of(a, b);
        sides->of_b[pairs[i].face_b] |= (uint8_t)sides_of(b, a);
    }
    for (size_t i = 0; i < contact->face_count; ++i)
        cross = cross ||
                (sides->of_a[pairs[i].face_a] == BOTH_SIDES && sides->of_b[pairs[i].face_b] == BOTH_SIDES);
    for (size_t i = 0; i < contact->face_count; ++i)
        sides->of_a[pairs[i].face_a] = sides->of_b[pairs[i].face_b] = 0;
    return cross;
}

static size_t most_triangles(const CheckScene *scene)
{
    size_t most = 0;
    for (size_t i = 0; i < scene->body_count; ++i) {
        size_t count = imp_mesh_get_triangle_count(scene->bodies[i].mesh);
        most = count > most ? count : most;
    }
    return most;
}

CommandResult check_contacts_judge(const CheckScene *scene, double touch_depth, CheckContacts *contacts)
{
    const imp_Report *report = impi_playback_get_report(scene->playback);
    size_t face_count = most_triangles(scene);
    CommandResult result = COMMAND_DONE;
    Sides sides = {.scene = scene};
    *contacts = (CheckContacts){.report = report, .touch_depth = touch_depth};
    contacts->overlaps = calloc(report->contact_count + 1, sizeof *contacts->overlaps);
    sides.of_a = calloc(face_count + 1, sizeof *sides.of_a);
    sides.of_b = calloc(face_count + 1, sizeof *sides.of_b);
    if (!contacts->overlaps || !sides.of_a || !sides.of_b) {
        result = command_fail("out of memory");
        goto cleanup;
    }
    for (size_t i = 0; i < report->contact_count; ++i) {
        const imp_Contact *contact = &report->contacts[i];
        contacts->overlaps[i] =
            contact->depth_is_known ? contact->depth > touch_depth : surfaces_cross(&sides, report, contact);
    }
cleanup:
    free(sides.of_a);
    free(sides.of_b);
    return result;
}

void check_contacts_free(CheckContacts *contacts)
{
    free(contacts->overlaps);
    *contacts = (CheckContacts){0};
}

bool check_bodies_overlap(const CheckContacts *contacts, uint32_t body_a, uint32_t body_b, size_t *next)
{
    const imp_Contact *all = contacts->report->contacts;
    bool any = false, overlap = false;
    for (; *next < contacts->report->contact_count; ++*next) {
        uint32_t a = body_number(all[*next].body_a), b = body_number(all[*next].body_b);
        if (a > body_a || (a == body_a && b > body_b))
            break;
        if (a != body_a || b != body_b)
            continue;
        any = true;
        overlap = overlap || contacts->overlaps[*next];
    }
    return overlap || !any;
}
