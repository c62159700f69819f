#include "units.h"

#include "kit/argument_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING_ULPS 8
// The upper bound of a depth may be so much of the largest coordinate above it, see impinge/contact.h. Of
// both bodies, whose coordinates may differ a little.
#define DEPTH_RESOLUTION 0x1p-40
#define MAX_OPTION       64

// One product or quotient; 0: none.
typedef struct Scale {
    double multiply_by, divide_by;
} Scale;

typedef enum Unit { UNIT_MM, UNIT_CM, UNIT_M, UNIT_IN, UNIT_FT, UNIT_COUNT, UNIT_NONE = -1 } Unit;

static const char *const unit_names[UNIT_COUNT] = {"mm", "cm", "m", "in", "ft"};

// How many of the column's unit one of the row's is, where that is at least one; the others are quotients by
// these. An inch is 25.4 mm.
static const double unit_factors[UNIT_COUNT][UNIT_COUNT] = {
    [UNIT_MM] = {[UNIT_MM] = 1},
    [UNIT_CM] = {[UNIT_MM] = 10, [UNIT_CM] = 1},
    [UNIT_M] = {[UNIT_MM] = 1000, [UNIT_CM] = 100, [UNIT_M] = 1},
    [UNIT_IN] = {[UNIT_MM] = 25.4, [UNIT_CM] = 2.54, [UNIT_IN] = 1},
    [UNIT_FT] = {[UNIT_MM] = 304.8, [UNIT_CM] = 30.48, [UNIT_IN] = 12, [UNIT_FT] = 1},
};
#define METRES_PER_INCH 0.0254
#define METRES_PER_FOOT 0.3048

static Scale conversion(Unit from, Unit to)
{
    if (from == to)
        return (Scale){0, 0};
    if (from == UNIT_M && (to == UNIT_IN || to == UNIT_FT))
        return (Scale){0, to == UNIT_IN ? METRES_PER_INCH : METRES_PER_FOOT};
    if (to == UNIT_M && (from == UNIT_IN || from == UNIT_FT))
        return (Scale){from == UNIT_IN ? METRES_PER_INCH : METRES_PER_FOOT, 0};
    return unit_factors[from][to] > 0 ? (Scale){unit_factors[from][to], 0}
                                      : (Scale){0, unit_factors[to][from]};
}

// ---- what options tell

static CommandResult parse_unit(const char *option, const char *text, Unit *unit)
{
    for (int i = 0; i < UNIT_COUNT; ++i)
        if (strcmp(text, unit_names[i]) == 0) {
            *unit = (Unit)i;
            return COMMAND_DONE;
        }
    return command_fail("--unit %s: expected mm, cm, m, in or ft, got \"%s\"", option, text);
}

static bool is_factor(double factor)
{
    return factor > 0 && isfinite(factor);
}

CommandResult units_parse_factor(const char *option, const char *text, double *multiply_by, double *divide_by)
{
    double first = 0, second = 1;
    const char *past = impi_number_parse(text, &first);
    bool is_quotient = past && *past == '/';
    const char *rest = is_quotient ? impi_number_parse(past + 1, &second) : past;
    bool is_whole = rest && *rest == 0;
    if (!is_whole || !is_factor(first) || !is_factor(second) || (is_quotient && first != 1))
        return command_fail("%s: expected a factor above 0, as 25.4 or 1/1000, got \"%s\"", option, text);
    *multiply_by = is_quotient || first == 1 ? 0 : first; // by 1 is not at all
    *divide_by = is_quotient && second != 1 ? second : 0;
    return COMMAND_DONE;
}

static CommandResult parse_scale(const OptionUse *use, Scale *scale)
{
    char option[MAX_OPTION];
    snprintf(option, sizeof option, "--scale %s", use->values[0]);
    return units_parse_factor(option, use->values[1], &scale->multiply_by, &scale->divide_by);
}

// What each body is to be scaled by, and which option said so, by which one is named that comes twice.
typedef struct Plan {
    Bodies *bodies;
    Scale *scales;
    Unit *units;
    bool *is_scaled; // by --scale
} Plan;

static CommandResult plan_scale(const Plan *plan, const OptionUse *use)
{
    Scale scale;
    impi_BodyList found = {0};
    CommandResult result = parse_scale(use, &scale);
    if (result == COMMAND_DONE)
        result = bodies_find(plan->bodies, "--scale", use->values[0], &found);
    for (size_t i = 0; i < found.count && result == COMMAND_DONE; ++i) {
        if (plan->is_scaled[found.data[i]])
            result = command_fail("--scale %s: %s has a scale already", use->values[0],
                                  plan->bodies->stills[found.data[i]].name);
        plan->scales[found.data[i]] = scale;
        plan->is_scaled[found.data[i]] = true;
    }
    impi_body_list_free(plan->bodies->context, &found);
    return result;
}

// "K=mm"
static CommandResult plan_unit(const Plan *plan, const char *text, const char *equals)
{
    Unit unit = UNIT_NONE;
    impi_BodyList found = {0};
    char *who = strndup(text, (size_t)(equals - text));
    if (!who)
        return command_fail("out of memory");
    CommandResult result = parse_unit(text, equals + 1, &unit);
    if (result == COMMAND_DONE)
        result = bodies_find(plan->bodies, "--unit", who, &found);
    for (size_t i = 0; i < found.count && result == COMMAND_DONE; ++i) {
        Unit *own = &plan->units[found.data[i]];
        if (*own != UNIT_NONE && *own != unit)
            result = command_fail("--unit %s: %s is in %s already", text,
                                  plan->bodies->stills[found.data[i]].name, unit_names[*own]);
        *own = unit;
    }
    impi_body_list_free(plan->bodies->context, &found);
    free(who);
    return result;
}

static bool is_gltf(const Bodies *bodies, size_t body)
{
    const Body *own = &bodies->bodies[body];
    return own->format == IMP_FORMAT_GLTF ||
           (own->format == IMP_FORMAT_BY_NAME && impi_file_is_scene(own->path));
}

// "mm", the unit of all, or "K=mm".
static CommandResult plan_unit_option(const Plan *plan, const char *text, Unit *common, bool *any_own)
{
    const char *equals = strrchr(text, '=');
    if (equals) {
        *any_own = true;
        return plan_unit(plan, text, equals);
    }
    if (*common != UNIT_NONE)
        return command_fail("--unit %s: the unit of all is %s already; K=%s tells that of body K", text,
                            unit_names[*common], text);
    return parse_unit(text, text, common);
}

static CommandResult plan_all(const Options *options, const Plan *plan)
{
    Unit common = UNIT_NONE;
    bool any_own = false;
    for (size_t i = 0; i < options->use_count; ++i) {
        const OptionUse *use = &options->uses[i];
        CommandResult result = COMMAND_DONE;
        if (strcmp(use->spec->name, "scale") == 0)
            result = plan_scale(plan, use);
        else if (strcmp(use->spec->name, "unit") == 0)
            result = plan_unit_option(plan, use->values[0], &common, &any_own);
        if (result != COMMAND_DONE)
            return result;
    }
    if (any_own && common == UNIT_NONE)
        return command_fail(
            "--unit: tell the unit of the others too, which all are converted to, as in --unit m");
    for (size_t i = 0; common != UNIT_NONE && i < plan->bodies->count; ++i) {
        Unit own = plan->units[i] != UNIT_NONE ? plan->units[i] : is_gltf(plan->bodies, i) ? UNIT_M : common;
        if (!plan->is_scaled[i])
            plan->scales[i] = conversion(own, common);
        else if (plan->units[i] != UNIT_NONE)
            return command_fail("--scale and --unit both tell the size of %s", plan->bodies->stills[i].name);
    }
    return COMMAND_DONE;
}

// ---- converting

static double scaled(double x, Scale scale)
{
    return scale.multiply_by > 0 ? x * scale.multiply_by : scale.divide_by > 0 ? x / scale.divide_by : x;
}

typedef struct ScaledMesh {
    imp_Mesh *mesh;
    Scale scale;
    size_t body;
} ScaledMesh;

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_shapes(const ScaledMesh *a, const ScaledMesh *b)
{
    uintptr_t mesh_a = (uintptr_t)a->mesh, mesh_b = (uintptr_t)b->mesh;
    int order = mesh_a != mesh_b ? (mesh_a > mesh_b) - (mesh_a < mesh_b)
                                 : compare_numbers(a->scale.multiply_by, b->scale.multiply_by);
    return order ? order : compare_numbers(a->scale.divide_by, b->scale.divide_by);
}

static int compare_scaled(const void *left, const void *right)
{
    const ScaledMesh *a = left, *b = right;
    int order = compare_shapes(a, b);
    return order ? order : (a->body > b->body) - (a->body < b->body);
}

static void put_mesh(Bodies *bodies, size_t body, imp_Mesh *mesh, Scale scale)
{
    impi_StillBody *still = &bodies->stills[body];
    imp_Vec3 *t = &still->pose.translation;
    imp_mesh_release(still->mesh);
    still->mesh = imp_mesh_retain(mesh);
    *t = (imp_Vec3){scaled(t->x, scale), scaled(t->y, scale), scaled(t->z, scale)};
    bodies->bodies[body].multiplied_by = scale.multiply_by;
    bodies->bodies[body].divided_by = scale.divide_by;
}

// Bodies that share a mesh and a scale share the scaled mesh.
static CommandResult convert_all(Bodies *bodies, const Scale *scales)
{
    ScaledMesh *list = calloc(bodies->count + 1, sizeof *list);
    size_t count = 0;
    CommandResult result = list ? COMMAND_DONE : command_fail("out of memory");
    for (size_t i = 0; list && i < bodies->count; ++i)
        if (scales[i].multiply_by > 0 || scales[i].divide_by > 0)
            list[count++] = (ScaledMesh){bodies->stills[i].mesh, scales[i], i};
    if (count > 0)
        qsort(list, count, sizeof *list, compare_scaled);
    for (size_t i = 0, end; result == COMMAND_DONE && i < count; i = end) {
        imp_MeshTransformDef def = {.multiply_by = list[i].scale.multiply_by,
                                    .divide_by = list[i].scale.divide_by};
        imp_Mesh *mesh = NULL;
        end = i;
        if (imp_mesh_transform(bodies->context, list[i].mesh, &def, &mesh) != IMP_STATUS_OK) {
            result = command_fail("%s: %s", bodies->stills[list[i].body].name,
                                  imp_context_get_error(bodies->context)->message);
            break;
        }
        // The shared mesh is compared by address, which must stay taken until all have been.
        imp_Mesh *original = imp_mesh_retain(list[i].mesh);
        while (end < count && compare_shapes(&list[i], &list[end]) == 0)
            put_mesh(bodies, list[end++].body, mesh, list[i].scale);
        imp_mesh_release(original);
        imp_mesh_release(mesh);
    }
    free(list);
    return result;
}

CommandResult units_convert(const Options *options, Bodies *bodies)
{
    Plan plan = {bodies, calloc(bodies->count + 1, sizeof(Scale)), calloc(bodies->count + 1, sizeof(Unit)),
                 calloc(bodies->count + 1, sizeof(bool))};
    CommandResult result = COMMAND_FAILED;
    if (!plan.scales || !plan.units || !plan.is_scaled) {
        command_fail("out of memory");
        goto cleanup;
    }
    for (size_t i = 0; i < bodies->count; ++i)
        plan.units[i] = UNIT_NONE;
    result = plan_all(options, &plan);
    if (result == COMMAND_DONE)
        result = convert_all(bodies, plan.scales);
cleanup:
    free(plan.scales);
    free(plan.units);
    free(plan.is_scaled);
    return result;
}

CommandResult units_scale_scene(const Options *options, imp_LoadDef *load)
{
    Unit unit = UNIT_NONE;
    for (size_t i = 0; i < options->use_count; ++i) {
        const OptionUse *use = &options->uses[i];
        if (strcmp(use->spec->name, "unit") != 0)
            continue;
        if (strchr(use->values[0], '='))
            return command_fail("--unit %s: units of single bodies are for those that --poses moves",
                                use->values[0]);
        if (unit != UNIT_NONE)
            return command_fail("--unit %s: the unit of all is %s already", use->values[0], unit_names[unit]);
        if (parse_unit(use->values[0], use->values[0], &unit) != COMMAND_DONE)
            return COMMAND_FAILED;
    }
    Scale scale = unit == UNIT_NONE ? (Scale){0, 0} : conversion(UNIT_M, unit);
    load->multiply_by = scale.multiply_by;
    load->divide_by = scale.divide_by;
    return COMMAND_DONE;
}

// ---- rounding

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// A bound on the coordinates of a body of this size where it is.
static double largest_coordinate(const imp_Box *bounds, const imp_Pose *pose)
{
    imp_Box box = *bounds;
    const double sizes[] = {larger(fabs(box.min.x), fabs(box.max.x)),
                            larger(fabs(box.min.y), fabs(box.max.y)),
                            larger(fabs(box.min.z), fabs(box.max.z))};
    const imp_Quat *r = &pose->rotation;
    const imp_Vec3 *t = &pose->translation;
    bool is_turned = r->x != 0 || r->y != 0 || r->z != 0;
    double own =
        is_turned ? hypot(hypot(sizes[0], sizes[1]), sizes[2]) : larger(larger(sizes[0], sizes[1]), sizes[2]);
    return own + larger(larger(fabs(t->x), fabs(t->y)), fabs(t->z));
}

// Does a file of this kind hold single precision, and this one no more? Text may hold more.
static bool is_single(const Bodies *bodies, size_t body)
{
    const Body *own = &bodies->bodies[body];
    const imp_Mesh *mesh = bodies->stills[body].mesh;
    Scale back = {own->divided_by, own->multiplied_by};
    bool is_stl = own->format == IMP_FORMAT_STL || impi_file_ends_in(own->path, "stl");
    if (!is_stl && !is_gltf(bodies, body))
        return false;
    // Scaled coordinates are doubles; what they were before is within rounding of a float.
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i) {
        const imp_Vec3 *v = &imp_mesh_get_vertices(mesh)[i];
        const double numbers[] = {scaled(v->x, back), scaled(v->y, back), scaled(v->z, back)};
        for (int k = 0; k < 3; ++k)
            if (fabs(numbers[k] - (double)(float)numbers[k]) > 2 * DBL_EPSILON * fabs(numbers[k]))
                return false;
    }
    return true;
}

static double rounding_depth(double largest, bool is_single)
{
    double ulp = is_single ? (double)nextafterf((float)largest, INFINITY) - (double)(float)largest
                           : nextafter(largest, INFINITY) - largest;
    double depth = ROUNDING_ULPS * ulp + DEPTH_RESOLUTION * largest;
    return isfinite(depth) ? depth : 0;
}

impi_BodyRounding *units_roundings(const Bodies *bodies)
{
    bool any_converted = false;
    impi_BodyRounding *roundings = calloc(bodies->count + 1, sizeof *roundings);
    if (!roundings) {
        command_fail("out of memory");
        return NULL;
    }
    for (size_t i = 0; i < bodies->count; ++i) {
        roundings[i].was_converted = bodies->bodies[i].multiplied_by > 0 || bodies->bodies[i].divided_by > 0;
        any_converted = any_converted || roundings[i].was_converted;
    }
    for (size_t i = 0; any_converted && i < bodies->count; ++i) {
        imp_Box bounds = imp_mesh_get_bounds(bodies->stills[i].mesh);
        roundings[i].depth =
            rounding_depth(largest_coordinate(&bounds, &bodies->stills[i].pose), is_single(bodies, i));
    }
    return roundings;
}

static void add_points(imp_Box *box, const imp_Vec3 *points, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        box->min = (imp_Vec3){fmin(box->min.x, points[i].x), fmin(box->min.y, points[i].y),
                              fmin(box->min.z, points[i].z)};
        box->max = (imp_Vec3){fmax(box->max.x, points[i].x), fmax(box->max.y, points[i].y),
                              fmax(box->max.z, points[i].z)};
    }
}

// The largest coordinate that a body has in any frame. `vertices` has room for its own, if it deforms.
static imp_Status find_largest(imp_Context *context, const impi_Motion *motion, size_t body,
                               imp_Vec3 *vertices, double *largest)
{
    impi_MotionBody source = impi_motion_body(motion, body);
    imp_Box bounds = imp_mesh_get_bounds(source.mesh);
    imp_Status status = IMP_STATUS_OK;
    *largest = 0;
    for (uint32_t frame = 0; frame < motion->frame_count && status == IMP_STATUS_OK; ++frame) {
        imp_Pose pose;
        status = impi_motion_place(context, motion, frame, body, &pose, vertices);
        if (status == IMP_STATUS_OK && source.deforms)
            add_points(&bounds, vertices, imp_mesh_get_vertex_count(source.mesh));
        if (status == IMP_STATUS_OK)
            *largest = larger(*largest, largest_coordinate(&bounds, &pose));
    }
    return status;
}

impi_BodyRounding *units_scene_roundings(imp_Context *context, const impi_Motion *motion)
{
    impi_BodyRounding *roundings = calloc(motion->body_count + 1, sizeof *roundings);
    imp_Vec3 *vertices = calloc(impi_motion_most_vertices(motion) + 1, sizeof *vertices);
    imp_Status status = roundings && vertices ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < motion->body_count && status == IMP_STATUS_OK; ++i) {
        double largest;
        status = find_largest(context, motion, i, vertices, &largest);
        if (status == IMP_STATUS_OK)
            roundings[i] = (impi_BodyRounding){true, rounding_depth(largest, true)};
    }
    free(vertices);
    if (status == IMP_STATUS_OK)
        return roundings;
    command_fail("%s", status == IMP_STATUS_OUT_OF_MEMORY ? imp_status_name(status)
                                                          : imp_context_get_error(context)->message);
    free(roundings);
    return NULL;
}
