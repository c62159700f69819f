// Sums over the triangles, in doubles with a bound on their error, and in integers (geom/exact_measure.h)
// where the bound is too large a part of what was found: needles, sheets, sizes near the ends of the range of
// doubles.
//
// Areas are computed from the edges of each triangle, which are rounded once. Volumes are taken relative to
// the centre of the surface's box and scaled by a power of two to unit size, so that neither a place far from
// the origin nor a tiny or huge size costs digits.
#include "shape/mesh_measure.h"

#include "geom/exact_measure.h"
#include "geom/vector.h"
#include "shape/bounds.h"

#include <math.h>

#define TERMS_PER_LOOK 128 // in integers, at who watches

// A sum that carries the rounding errors of its additions along (Neumaier).
typedef struct Sum {
    double value, lost;
} Sum;

static void add(Sum *sum, double term)
{
    double value = sum->value + term;
    sum->lost += fabs(sum->value) >= fabs(term) ? (sum->value - value) + term : (term - value) + sum->value;
    sum->value = value;
}

static double total(const Sum *sum)
{
    return sum->value + sum->lost;
}

// --------------------------------------------------------------------------------------------- area

// A sum over 2^exponent. Numbers more than 2^900 apart do not add up: the smaller counts for nothing.
typedef struct WideSum {
    Sum sum;
    int exponent;
} WideSum;

static void add_wide(WideSum *wide, impi_WideNumber term)
{
    int size;
    frexp(term.value, &size);
    size += term.exponent;
    if (wide->sum.value == 0 || size - wide->exponent > 900) {
        int shift = wide->exponent - size;
        wide->sum = (Sum){ldexp(wide->sum.value, shift), ldexp(wide->sum.lost, shift)};
        wide->exponent = size;
    }
    add(&wide->sum, impi_wide_over(term, wide->exponent));
}

// Squares of edges between which neither overflow nor underflow is near.
#define MIN_SQUARE 0x1p-240
#define MAX_SQUARE 0x1p240

// The square of the sine between two edges from which on their product is right to 1e-12: each of its
// coordinates is off by less than 4 u of the product of their lengths, all three by 7 u.
#define MIN_SQUARED_SINE 0x1p-20

static impi_WideNumber twice_area(const imp_Triangle *triangle)
{
    imp_Vec3 u = impi_subtract(triangle->v[1], triangle->v[0]);
    imp_Vec3 v = impi_subtract(triangle->v[2], triangle->v[0]), normal = impi_cross(u, v);
    double uu = impi_dot(u, u), vv = impi_dot(v, v), square = impi_dot(normal, normal);
    if (uu >= MIN_SQUARE && uu <= MAX_SQUARE && vv >= MIN_SQUARE && vv <= MAX_SQUARE &&
        square >= MIN_SQUARED_SINE * (uu * vv))
        return (impi_WideNumber){sqrt(square), 0};
    return impi_exact_twice_area(triangle);
}

imp_Status impi_mesh_area(imp_Context *context, const imp_Mesh *mesh, double *area)
{
    WideSum sum = {{0, 0}, 0};
    impi_watch_work(&context->watch, "measuring triangles", mesh->arrays.triangle_count);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        if (face % TERMS_PER_LOOK == 0 && !impi_watch_step(&context->watch, TERMS_PER_LOOK))
            return impi_watch_status(context);
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        impi_WideNumber term = twice_area(&triangle);
        if (term.value > 0)
            add_wide(&sum, term);
    }
    *area = ldexp(total(&sum.sum), sum.exponent - 1);
    return IMP_STATUS_OK;
}

// ------------------------------------------------------------------------------------------ volumes

static imp_Vec3 to_unit(const impi_UnitFrame *frame, const imp_Vec3 *v)
{
    return (imp_Vec3){ldexp(v->x - frame->centre.x, -frame->exponent),
                      ldexp(v->y - frame->centre.y, -frame->exponent),
                      ldexp(v->z - frame->centre.z, -frame->exponent)};
}

// Six times the volume in a frame, in doubles.
typedef struct Volume {
    Sum six;
    double edges; // the squared lengths of two edges of each triangle
} Volume;

static void add_triangle(Volume *volume, const impi_UnitFrame *frame, const imp_Triangle *triangle)
{
    imp_Vec3 unit[3];
    for (unsigned k = 0; k < 3; ++k)
        unit[k] = to_unit(frame, &triangle->v[k]);
    imp_Vec3 u = impi_subtract(unit[1], unit[0]), v = impi_subtract(unit[2], unit[0]);
    add(&volume->six, impi_dot(unit[0], impi_cross(u, v)));
    volume->edges += impi_dot(u, u) + impi_dot(v, v);
}

// With u and v for two edges of a triangle in the unit frame, the roundings of its term add up to less than
// 64 * 2^-53 |u| |v|, and moving its corners to the nearest representable coordinates of the frame (the same
// for all triangles around a vertex, so that the surface stays closed) changes the volume by less than
// 8 * 2^-53 |u| |v|. Twice |u| |v| is at most `edges`. Underflow adds less than 2^-1000 for as many triangles
// as there can be.
static double error_of(const Volume *volume)
{
    return 64 * 0x1p-53 * volume->edges + 0x1p-1000;
}

static void add_to_span(const imp_Triangle *triangle, impi_GridSpan *span)
{
    for (unsigned k = 0; k < 3; ++k) {
        impi_span_add(span, impi_split_double(triangle->v[k].x));
        impi_span_add(span, impi_split_double(triangle->v[k].y));
        impi_span_add(span, impi_split_double(triangle->v[k].z));
    }
}

// Six times the volume of the listed faces, or of the first `count` where there is no list.
static imp_Status exact_volume(imp_Context *context, const imp_Mesh *mesh, const uint32_t *faces,
                               size_t count, impi_WideNumber *six)
{
    impi_GridSpan span = IMPI_NO_SPAN;
    for (size_t i = 0; i < count; ++i) {
        imp_Triangle triangle = impi_mesh_triangle(mesh, faces ? faces[i] : i);
        add_to_span(&triangle, &span);
    }
    impi_VolumeSum sum;
    impi_volume_sum_begin(&sum, span);
    impi_watch_work(&context->watch, "measuring volumes exactly", count);
    for (size_t i = 0; i < count; ++i) {
        if (i % TERMS_PER_LOOK == 0 && !impi_watch_step(&context->watch, TERMS_PER_LOOK))
            return impi_watch_status(context);
        imp_Triangle triangle = impi_mesh_triangle(mesh, faces ? faces[i] : i);
        impi_volume_sum_add(&sum, &triangle);
    }
    *six = impi_volume_sum_round(&sum);
    return IMP_STATUS_OK;
}

// An error not larger than this part of the volume is left at that.
#define VOLUME_ACCURACY 0x1p-34

imp_Status impi_mesh_volume(imp_Context *context, const imp_Mesh *mesh, double *volume)
{
    impi_UnitFrame frame = impi_unit_frame(&mesh->shape.bounds);
    Volume sum = {{0, 0}, 0};
    impi_watch_work(&context->watch, "measuring the volume", mesh->arrays.triangle_count);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(&context->watch, face))
            return impi_watch_status(context);
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        add_triangle(&sum, &frame, &triangle);
    }
    impi_WideNumber six = {total(&sum.six), 3 * frame.exponent};
    imp_Status status = IMP_STATUS_OK;
    if (error_of(&sum) > VOLUME_ACCURACY * fabs(six.value))
        status = exact_volume(context, mesh, NULL, mesh->arrays.triangle_count, &six);
    if (status == IMP_STATUS_OK)
        *volume = ldexp(six.value / 6, six.exponent);
    return status;
}

// --------------------------------------------------------------------------------------- components

typedef struct Component {
    imp_Box bounds;
    impi_UnitFrame frame;
    Volume volume;
} Component;

static void bound_components(const imp_Mesh *mesh, const uint32_t *component_of_face, Component *components,
                             size_t component_count)
{
    for (size_t face = mesh->arrays.triangle_count; face-- > 0;) {
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        components[component_of_face[face]].bounds = (imp_Box){triangle.v[0], triangle.v[0]};
    }
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        for (unsigned k = 0; k < 3; ++k)
            impi_box_add(&components[component_of_face[face]].bounds, &triangle.v[k]);
    }
    for (size_t i = 0; i < component_count; ++i)
        components[i].frame = impi_unit_frame(&components[i].bounds);
}

// What doubles can't tell is IN_DOUBT.
#define IN_DOUBT 2

static imp_Status direct_in_doubles(imp_Context *context, const imp_Mesh *mesh,
                                    const uint32_t *component_of_face, Component *components,
                                    size_t component_count, int8_t *directions)
{
    bound_components(mesh, component_of_face, components, component_count);
    impi_watch_work(&context->watch, "measuring components", mesh->arrays.triangle_count);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(&context->watch, face))
            return impi_watch_status(context);
        Component *component = &components[component_of_face[face]];
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        add_triangle(&component->volume, &component->frame, &triangle);
    }
    for (size_t i = 0; i < component_count; ++i) {
        double six = total(&components[i].volume.six), error = error_of(&components[i].volume);
        directions[i] = fabs(six) <= error ? IN_DOUBT : six > 0 ? 1 : -1;
    }
    return IMP_STATUS_OK;
}

static bool is_any_in_doubt(const int8_t *directions, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (directions[i] == IN_DOUBT)
            return true;
    return false;
}

// Faces by component: those of component i are faces[starts[i]] .. faces[starts[i + 1] - 1].
static void list_faces(const uint32_t *component_of_face, size_t face_count, size_t component_count,
                       uint32_t *starts, uint32_t *faces)
{
    for (size_t i = 0; i <= component_count; ++i)
        starts[i] = 0;
    for (size_t face = 0; face < face_count; ++face)
        ++starts[component_of_face[face]];
    uint32_t before = 0;
    for (size_t i = 0; i <= component_count; ++i) {
        before += starts[i];
        starts[i] = before;
    }
    for (size_t face = face_count; face-- > 0;)
        faces[--starts[component_of_face[face]]] = (uint32_t)face;
}

static imp_Status direct_exactly(imp_Context *context, const imp_Mesh *mesh,
                                 const uint32_t *component_of_face, size_t component_count,
                                 int8_t *directions)
{
    size_t face_count = mesh->arrays.triangle_count;
    uint32_t *starts = impi_arena_allocate_array(&context->scratch, component_count + 1, sizeof *starts);
    uint32_t *faces = impi_arena_allocate_array(&context->scratch, face_count, sizeof *faces);
    if (!starts || !faces)
        return impi_fail_out_of_memory(context);
    list_faces(component_of_face, face_count, component_count, starts, faces);
    for (size_t i = 0; i < component_count; ++i) {
        if (directions[i] != IN_DOUBT)
            continue;
        impi_WideNumber six;
        imp_Status status = exact_volume(context, mesh, faces + starts[i], starts[i + 1] - starts[i], &six);
        if (status != IMP_STATUS_OK)
            return status;
        directions[i] = (int8_t)((six.value > 0) - (six.value < 0));
    }
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_directions(imp_Context *context, const imp_Mesh *mesh, const uint32_t *component_of_face,
                                size_t component_count, int8_t *directions)
{
    Component *components = impi_arena_allocate_array(&context->scratch, component_count, sizeof *components);
    if (!components)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < component_count; ++i)
        components[i] = (Component){.volume = {{0, 0}, 0}};
    imp_Status status =
        direct_in_doubles(context, mesh, component_of_face, components, component_count, directions);
    if (status != IMP_STATUS_OK || !is_any_in_doubt(directions, component_count))
        return status;
    return direct_exactly(context, mesh, component_of_face, component_count, directions);
}
