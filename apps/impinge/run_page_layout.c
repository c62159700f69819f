#include "run_page_layout.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// Halves are added, because the sum or difference of two large numbers may be none.
imp_Vec3 page_box_centre(const imp_Box *box)
{
    return (imp_Vec3){0.5 * box->min.x + 0.5 * box->max.x, 0.5 * box->min.y + 0.5 * box->max.y,
                      0.5 * box->min.z + 0.5 * box->max.z};
}

imp_Vec3 page_box_half(const imp_Box *box)
{
    return (imp_Vec3){0.5 * box->max.x - 0.5 * box->min.x, 0.5 * box->max.y - 0.5 * box->min.y,
                      0.5 * box->max.z - 0.5 * box->min.z};
}

static const imp_Box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void grow(imp_Box *box, imp_Vec3 point)
{
    box->min = (imp_Vec3){fmin(box->min.x, point.x), fmin(box->min.y, point.y), fmin(box->min.z, point.z)};
    box->max = (imp_Vec3){fmax(box->max.x, point.x), fmax(box->max.y, point.y), fmax(box->max.z, point.z)};
}

// Around the corners of a box, posed: a little more than what is in it, at a cost that does not depend on it.
static void grow_by_posed(imp_Box *bounds, const imp_Box *box, const imp_Pose *pose)
{
    imp_Transform transform = {0};
    imp_Status status = imp_pose_transform(pose, &transform);
    assert(status == IMP_STATUS_OK); // the run has posed the body by it
    (void)status;
    for (int corner = 0; corner < 8; ++corner) {
        imp_Vec3 point = {corner & 1 ? box->max.x : box->min.x, corner & 2 ? box->max.y : box->min.y,
                          corner & 4 ? box->max.z : box->min.z};
        grow(bounds, imp_transform_apply(&transform, point));
    }
}

static imp_Box bound_shape(const imp_Mesh *mesh, const imp_Vec3 *vertices)
{
    imp_Box box = empty_box;
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(mesh); ++i)
        grow(&box, vertices[indices[i]]);
    return box;
}

static CommandResult bound_body(const RunScene *scene, size_t body, PageLayout *layout, imp_Box *bounds)
{
    const RunBody *source = &scene->bodies[body];
    imp_Box box = imp_mesh_get_bounds(source->mesh), *all = &layout->bodies[body].box;
    *all = box;
    for (uint32_t frame = 0; frame < scene->frame_count; ++frame) {
        imp_Pose pose;
        if (run_scene_place(scene, frame, body, &pose, layout->vertices) != COMMAND_DONE)
            return COMMAND_FAILED;
        if (source->deforms) {
            box = bound_shape(source->mesh, layout->vertices);
            grow(all, box.min);
            grow(all, box.max);
        }
        grow_by_posed(bounds, &box, &pose);
    }
    return COMMAND_DONE;
}

// Numbers meshes by the first body that has them, never by address: pages are the same every time.
static void share_meshes(const RunScene *scene, PageLayout *layout)
{
    for (size_t body = 0; body < scene->body_count; ++body) {
        const imp_Mesh *mesh = scene->bodies[body].mesh;
        uint32_t index = 0;
        while (index < layout->mesh_count && layout->meshes[index] != mesh)
            ++index;
        if (index == layout->mesh_count)
            layout->meshes[layout->mesh_count++] = mesh;
        layout->bodies[body].mesh = index;
    }
}

CommandResult page_layout_create(const RunScene *scene, PageLayout *layout)
{
    size_t most_vertices = 1;
    for (size_t body = 0; body < scene->body_count; ++body) {
        size_t count = imp_mesh_get_vertex_count(scene->bodies[body].mesh);
        most_vertices = count > most_vertices ? count : most_vertices;
    }
    *layout = (PageLayout){.bodies = calloc(scene->body_count + 1, sizeof *layout->bodies),
                           .meshes = calloc(scene->body_count + 1, sizeof *layout->meshes),
                           .vertices = calloc(most_vertices, sizeof *layout->vertices)};
    if (!layout->bodies || !layout->meshes || !layout->vertices)
        return command_fail("out of memory");
    share_meshes(scene, layout);
    imp_Box bounds = empty_box;
    for (size_t body = 0; body < scene->body_count; ++body)
        if (bound_body(scene, body, layout, &bounds) != COMMAND_DONE)
            return COMMAND_FAILED;
    if (scene->body_count == 0 || scene->frame_count == 0)
        bounds = (imp_Box){0};
    imp_Vec3 half = page_box_half(&bounds);
    layout->centre = page_box_centre(&bounds);
    layout->scale = fmax(half.x, fmax(half.y, half.z));
    if (layout->scale == 0)
        layout->scale = 1;
    return COMMAND_DONE;
}

void page_layout_free(PageLayout *layout)
{
    free(layout->bodies);
    free(layout->meshes);
    free(layout->vertices);
}
