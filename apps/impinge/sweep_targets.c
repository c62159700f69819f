#include "sweep_targets.h"

#include "arguments.h"
#include "body_places.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TURNS 65536

// An option that tells something of bodies.
typedef struct Telling {
    SweepTargets *targets;
    const Bodies *bodies;
    const OptionUse *use;
    char *who; // a number, name or pattern; null: all
    // One of these is what it tells.
    imp_Mesh *shape;
    imp_Pose pose;
    imp_PathKind path;
    int32_t turns;
    imp_Vec3 vector;
} Telling;

// ---- what they tell

static CommandResult read_shape(Telling *telling)
{
    telling->shape = command_load_mesh(telling->bodies->context, telling->use->values[1]);
    return telling->shape ? COMMAND_DONE : COMMAND_FAILED;
}

static CommandResult read_pose(Telling *telling)
{
    return body_pose_parse(telling->bodies->context, telling->use, &telling->pose);
}

static CommandResult read_path(Telling *telling)
{
    const char *text = telling->use->values[0], *equals = strrchr(text, '=');
    const char *word = equals ? equals + 1 : text;
    telling->path = strcmp(word, "straight") == 0 ? IMP_PATH_STRAIGHT
                    : strcmp(word, "rigid") == 0  ? IMP_PATH_RIGID
                                                  : IMP_PATH_AUTO;
    if (telling->path == IMP_PATH_AUTO)
        return command_fail("--path: expected straight or rigid, or K=straight or K=rigid, got \"%s\"", text);
    return COMMAND_DONE;
}

static CommandResult read_turns(Telling *telling)
{
    return argument_signed_integer("turns", telling->use->values[1], MAX_TURNS, &telling->turns)
               ? COMMAND_DONE
               : COMMAND_FAILED;
}

static CommandResult read_vector(Telling *telling)
{
    double numbers[3];
    if (!argument_numbers(telling->use->spec->name, telling->use->values[1], 3, numbers))
        return COMMAND_FAILED;
    telling->vector = (imp_Vec3){numbers[0], numbers[1], numbers[2]};
    return COMMAND_DONE;
}

// ---- taking it over, body by body

static CommandResult check_shape(const Telling *telling, size_t body)
{
    const imp_Mesh *own = telling->bodies->stills[body].mesh, *shape = telling->shape;
    const char *path = telling->use->values[1], *name = telling->bodies->stills[body].name;
    size_t vertex_count = imp_mesh_get_vertex_count(own), face_count = imp_mesh_get_triangle_count(own);
    if (imp_mesh_get_vertex_count(shape) != vertex_count || imp_mesh_get_triangle_count(shape) != face_count)
        return command_fail("--to %s: %s has %zu vertices and %zu faces, %s (body %zu) has %zu and %zu",
                            telling->who, path, imp_mesh_get_vertex_count(shape),
                            imp_mesh_get_triangle_count(shape), name, body, vertex_count, face_count);
    for (size_t i = 0; i < 3 * face_count; ++i)
        if (imp_mesh_get_indices(shape)[i] != imp_mesh_get_indices(own)[i])
            return command_fail("--to %s: face %zu of %s has other vertices than that of %s (body %zu)",
                                telling->who, i / 3, path, name, body);
    return COMMAND_DONE;
}

// In the unit of the body.
static CommandResult put_shape(const Telling *telling, size_t body)
{
    const Body *own = &telling->bodies->bodies[body];
    SweepTarget *target = &telling->targets->targets[body];
    imp_MeshTransformDef def = {.multiply_by = own->multiplied_by, .divide_by = own->divided_by};
    imp_Context *context = telling->bodies->context;
    if (check_shape(telling, body) != COMMAND_DONE)
        return COMMAND_FAILED;
    target->shape_path = telling->use->values[1];
    if (def.multiply_by == 0 && def.divide_by == 0)
        target->shape = imp_mesh_retain(telling->shape);
    else if (imp_mesh_transform(context, telling->shape, &def, &target->shape) != IMP_STATUS_OK)
        return command_fail("%s: %s", target->shape_path, imp_context_get_error(context)->message);
    return COMMAND_DONE;
}

static CommandResult put_pose(const Telling *telling, size_t body)
{
    telling->targets->targets[body].pose = telling->pose;
    return COMMAND_DONE;
}

static CommandResult put_path(const Telling *telling, size_t body)
{
    telling->targets->paths[body].path = telling->path;
    return COMMAND_DONE;
}

static CommandResult put_turns(const Telling *telling, size_t body)
{
    telling->targets->paths[body].turns = telling->turns;
    return COMMAND_DONE;
}

static CommandResult put_axis(const Telling *telling, size_t body)
{
    telling->targets->paths[body].axis = telling->vector;
    return COMMAND_DONE;
}

static CommandResult put_pivot(const Telling *telling, size_t body)
{
    telling->targets->paths[body].pivot = telling->vector;
    return COMMAND_DONE;
}

enum { TO, TO_POSE, PATH, TURNS, AXIS, PIVOT, OPTION_COUNT };

static const struct {
    const char *name;
    CommandResult (*read)(Telling *telling);
    CommandResult (*put)(const Telling *telling, size_t body);
} target_options[OPTION_COUNT] = {
    [TO] = {"to", read_shape, put_shape},     [TO_POSE] = {"to-pose", read_pose, put_pose},
    [PATH] = {"path", read_path, put_path},   [TURNS] = {"turns", read_turns, put_turns},
    [AXIS] = {"axis", read_vector, put_axis}, [PIVOT] = {"pivot", read_vector, put_pivot},
};

bool sweep_target_moves(const SweepTarget *target)
{
    return target->given & (1U << TO | 1U << TO_POSE | 1U << TURNS);
}

static CommandResult tell_bodies(Telling *telling, size_t option)
{
    impi_BodyList found = {0};
    char where[64] = "--";
    strncat(where, target_options[option].name, sizeof where - 3);
    CommandResult result = bodies_find(telling->bodies, where, telling->who, &found);
    for (size_t i = 0; i < found.count && result == COMMAND_DONE; ++i) {
        SweepTarget *target = &telling->targets->targets[found.data[i]];
        if (target->given & 1U << option)
            result = command_fail("%s %s: %s (body %u) is told it twice", where, telling->who,
                                  telling->bodies->stills[found.data[i]].name, found.data[i]);
        else
            result = target_options[option].put(telling, found.data[i]);
        target->given |= 1U << option;
    }
    impi_body_list_free(telling->bodies->context, &found);
    return result;
}

// A path of all bodies is one of those that move, and that no other option tells of.
static CommandResult tell_all(const Telling *telling)
{
    for (size_t i = 0; i < telling->bodies->count; ++i) {
        SweepTarget *target = &telling->targets->targets[i];
        if (sweep_target_moves(target) && !(target->given & 1U << PATH))
            telling->targets->paths[i].path = telling->path;
    }
    return COMMAND_DONE;
}

static CommandResult take_use(SweepTargets *targets, const OptionUse *use, size_t option, bool for_all)
{
    Telling telling = {.targets = targets, .bodies = targets->bodies, .use = use};
    const char *equals = option == PATH ? strrchr(use->values[0], '=') : NULL;
    size_t length = equals ? (size_t)(equals - use->values[0]) : strlen(use->values[0]);
    if (for_all != (option == PATH && !equals))
        return COMMAND_DONE;
    telling.who = strndup(use->values[0], length);
    CommandResult result =
        telling.who ? target_options[option].read(&telling) : command_fail("out of memory");
    if (result == COMMAND_DONE)
        result = for_all ? tell_all(&telling) : tell_bodies(&telling, option);
    imp_mesh_release(telling.shape);
    free(telling.who);
    return result;
}

static CommandResult take_uses(const Options *options, SweepTargets *targets, bool for_all)
{
    CommandResult result = COMMAND_DONE;
    for (size_t i = 0; i < options->use_count && result == COMMAND_DONE; ++i)
        for (size_t k = 0; k < OPTION_COUNT && result == COMMAND_DONE; ++k)
            if (strcmp(options->uses[i].spec->name, target_options[k].name) == 0)
                result = take_use(targets, &options->uses[i], k, for_all);
    return result;
}

// What is told of turning makes a path rigid.
static CommandResult choose_paths(SweepTargets *targets)
{
    for (size_t i = 0; i < targets->bodies->count; ++i) {
        unsigned given = targets->targets[i].given;
        impi_BodyPath *path = &targets->paths[i];
        const char *name = targets->bodies->stills[i].name;
        unsigned about_turning = given & (1U << TURNS | 1U << AXIS | 1U << PIVOT);
        if (!about_turning)
            continue;
        if (path->path == IMP_PATH_STRAIGHT)
            return command_fail("--%s: %s (body %zu) goes straight, and does not turn",
                                about_turning & 1U << TURNS  ? "turns"
                                : about_turning & 1U << AXIS ? "axis"
                                                             : "pivot",
                                name, i);
        path->path = IMP_PATH_RIGID;
    }
    return COMMAND_DONE;
}

CommandResult sweep_targets_take(const Options *options, const Bodies *bodies, SweepTargets *targets)
{
    *targets = (SweepTargets){.bodies = bodies,
                              .targets = calloc(bodies->count + 1, sizeof *targets->targets),
                              .paths = calloc(bodies->count + 1, sizeof *targets->paths)};
    if (!targets->targets || !targets->paths)
        return command_fail("out of memory");
    for (size_t i = 0; i < bodies->count; ++i)
        targets->targets[i].pose = bodies->stills[i].pose;
    if (take_uses(options, targets, false) != COMMAND_DONE ||
        take_uses(options, targets, true) != COMMAND_DONE)
        return COMMAND_FAILED;
    return choose_paths(targets);
}

void sweep_targets_free(SweepTargets *targets)
{
    for (size_t i = 0; targets->targets && i < targets->bodies->count; ++i)
        imp_mesh_release(targets->targets[i].shape);
    free(targets->targets);
    free(targets->paths);
    *targets = (SweepTargets){0};
}

// ---- the motion

static impi_MotionBody get_body(const void *source, size_t index)
{
    const SweepTargets *targets = source;
    const impi_StillBody *body = &targets->bodies->stills[index];
    return (impi_MotionBody){.name = body->name,
                             .mesh = body->mesh,
                             .triangle_count = impi_still_triangle_count(body),
                             .convex = body->convex,
                             .deforms = targets->targets[index].shape != NULL};
}

static imp_Status place(const impi_Motion *motion, uint32_t frame, size_t body, imp_Pose *pose,
                        imp_Vec3 *vertices)
{
    const SweepTargets *targets = motion->source;
    const impi_StillBody *still = &targets->bodies->stills[body];
    const SweepTarget *target = &targets->targets[body];
    const imp_Mesh *shape = frame == 0 ? still->mesh : target->shape;
    *pose = frame == 0 ? still->pose : target->pose;
    if (vertices && target->shape)
        memcpy(vertices, imp_mesh_get_vertices(shape), imp_mesh_get_vertex_count(shape) * sizeof *vertices);
    return IMP_STATUS_OK;
}

impi_Motion sweep_targets_motion(const SweepTargets *targets)
{
    return (impi_Motion){.body_count = targets->bodies->count,
                         .frame_count = 2,
                         .frame_rate = 1,
                         .is_still = true,
                         .source = targets,
                         .body = get_body,
                         .place = place};
}
