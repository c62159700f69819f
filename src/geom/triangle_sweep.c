// Two triangles that do not touch at first begin to do so with a vertex in a face or with two edges that
// cross, whatever their motion: six contacts of the one kind and nine of the other, eight at a time through
// the filter.
#include "geom/triangle_sweep.h"

#include "geom/sweep.h"
#include "geom/sweep_batch.h"
#include "geom/touch.h"

#include <math.h>

#define CONTACT_COUNT 15

// The parts of both triangles that meet in a contact.
typedef struct Contact {
    uint8_t part_a, part_b;
} Contact;

static const Contact contacts[CONTACT_COUNT] = {{0, IMPI_WHOLE_FACE},
                                                {1, IMPI_WHOLE_FACE},
                                                {2, IMPI_WHOLE_FACE},
                                                {IMPI_WHOLE_FACE, 0},
                                                {IMPI_WHOLE_FACE, 1},
                                                {IMPI_WHOLE_FACE, 2},
                                                {3, 3},
                                                {3, 4},
                                                {3, 5},
                                                {4, 3},
                                                {4, 4},
                                                {4, 5},
                                                {5, 3},
                                                {5, 4},
                                                {5, 5}};

// The points of a vertex, an edge or a face; returns how many.
static int copy_part(const imp_Triangle *t, int part, imp_Vec3 *points)
{
    if (part < 3) {
        points[0] = t->v[part];
        return 1;
    }
    int first = part == IMPI_WHOLE_FACE ? 0 : part - 3, count = part == IMPI_WHOLE_FACE ? 3 : 2;
    for (int i = 0; i < count; ++i)
        points[i] = t->v[(first + i) % 3];
    return count;
}

// The part with fewer points comes first, as a query has it.
static impi_SweepKind make_query(const imp_MovingTriangle *a, const imp_MovingTriangle *b, Contact contact,
                                 imp_Vec3 points[8])
{
    bool swap = contact.part_a == IMPI_WHOLE_FACE;
    const imp_MovingTriangle *first = swap ? b : a, *second = swap ? a : b;
    int part_first = swap ? contact.part_b : contact.part_a,
        part_second = swap ? contact.part_a : contact.part_b;
    for (int end = 0; end < 2; ++end) {
        imp_Vec3 *at = points + 4 * end;
        int count = copy_part(end ? &first->end : &first->begin, part_first, at);
        copy_part(end ? &second->end : &second->begin, part_second, at + count);
    }
    return part_second == IMPI_WHOLE_FACE ? IMPI_SWEEP_VERTEX_FACE : IMPI_SWEEP_EDGES;
}

// Contacts that the filter has not ruled out.
typedef struct OpenContacts {
    Contact contacts[CONTACT_COUNT];
    int count;
} OpenContacts;

static void filter_contacts(const imp_MovingTriangle *a, const imp_MovingTriangle *b, const Contact *list,
                            int count, OpenContacts *open)
{
    impi_SweepBatch batch;
    imp_Vec3 points[8];
    for (int lane = 0; lane < IMPI_SWEEP_LANES; ++lane) {
        impi_SweepKind kind = make_query(a, b, list[lane < count ? lane : count - 1], points);
        impi_sweep_batch_set(&batch, lane, kind, points, points + 4);
    }
    uint32_t apart = impi_sweep_apart()(&batch);
    for (int lane = 0; lane < count; ++lane)
        if (!(apart >> lane & 1))
            open->contacts[open->count++] = list[lane];
}

static bool is_part_wanted(unsigned parts, int part)
{
    return part == IMPI_WHOLE_FACE || parts >> part & 1;
}

impi_Impact impi_triangles_impact(const imp_MovingTriangle *a, const imp_MovingTriangle *b, unsigned parts_a,
                                  unsigned parts_b, double until)
{
    Contact wanted[CONTACT_COUNT];
    OpenContacts open = {.count = 0};
    int count = 0;
    for (int i = 0; i < CONTACT_COUNT; ++i)
        if (is_part_wanted(parts_a, contacts[i].part_a) && is_part_wanted(parts_b, contacts[i].part_b))
            wanted[count++] = contacts[i];
    for (int i = 0; i < count; i += IMPI_SWEEP_LANES)
        filter_contacts(a, b, wanted + i, count - i < IMPI_SWEEP_LANES ? count - i : IMPI_SWEEP_LANES, &open);
    impi_Impact first = IMPI_NO_IMPACT;
    for (int i = 0; i < open.count; ++i) {
        imp_Vec3 points[8];
        Contact contact = open.contacts[i];
        impi_SweepKind kind = make_query(a, b, contact, points);
        double time = impi_sweep(kind, points, fmin(until, first.time));
        if (time < first.time)
            first = (impi_Impact){time, contact.part_a, contact.part_b};
    }
    return first;
}

double impi_triangles_first_time(const imp_MovingTriangle *a, const imp_MovingTriangle *b, double until)
{
    if (impi_triangles_touch(&a->begin, &b->begin))
        return 0;
    return impi_triangles_impact(a, b, IMPI_ALL_PARTS, IMPI_ALL_PARTS, until).time;
}
