#include "sphere_drawing.h"

#include "sphere_balls.h"

#include <math.h>
#include <stdlib.h>

#define PANEL_SIZE  400 // pixels, unless a size is asked for
#define PANEL_WIDTH 2.1 // from one to the next, in radii of the root

CommandResult sphere_mesh_save(imp_Context *context, const SphereSelection *selection, const char *path)
{
    size_t count;
    const imp_Sphere *spheres = sphere_selection_spheres(selection, selection->sets, &count);
    SphereBalls balls;
    imp_Mesh *mesh = NULL;
    CommandResult result = COMMAND_DONE;
    if (!sphere_balls_create(spheres, count, true, &balls)) {
        sphere_balls_free(&balls);
        return command_fail("%s: out of memory", path);
    }
    imp_MeshDef def = {.vertices = &balls.vertices->x,
                       .vertex_count = balls.vertex_count,
                       .indices = balls.indices,
                       .triangle_count = balls.triangle_count};
    if (imp_mesh_create(context, &def, &mesh) != IMP_STATUS_OK)
        result = command_fail("%s: %s", path, imp_context_get_error(context)->message);
    else if (imp_mesh_save(context, mesh, path) != IMP_STATUS_OK)
        result = command_fail_in(context);
    imp_mesh_release(mesh);
    sphere_balls_free(&balls);
    return result;
}

// ---- pictures

// One of the things side by side.
typedef struct Panel {
    imp_Vec3 *vertices;
    uint8_t *face_colours;
    SphereBalls balls;
} Panel;

typedef struct Gallery {
    impi_PictureMesh *meshes;
    Panel *panels;
    size_t count;
    imp_Vec3 center; // of the root
    double radius;   // of the root, or 1
    imp_Vec3 step;   // from one to the next
} Gallery;

static imp_Vec3 combine(double a, imp_Vec3 p, double b, imp_Vec3 q)
{
    return (imp_Vec3){a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z};
}

static imp_Vec3 cross(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// From slightly above and the right unless a view is asked for. The step goes to the right of the picture.
static void choose_view(impi_PictureDef *picture, imp_Vec3 *step)
{
    imp_Vec3 right = {0}, top = {0}, front = {0}, view = picture->view;
    impi_picture_view_named("right", picture->up, &right);
    impi_picture_view_named("top", picture->up, &top);
    impi_picture_view_named("front", picture->up, &front);
    double size = fmax(fabs(view.x), fmax(fabs(view.y), fabs(view.z)));
    view = size > 0 ? combine(1 / size, view, 0, view) : combine(1, combine(1, front, 0.6, right), 0.4, top);
    imp_Vec3 side = cross(top, view);
    double length = sqrt(side.x * side.x + side.y * side.y + side.z * side.z);
    *step =
        length > 1e-6 ? combine(PANEL_WIDTH / length, side, 0, side) : combine(PANEL_WIDTH, right, 0, right);
    picture->view = view;
}

// Into a frame in which the root is the unit ball, so that numbers of any size can be drawn, and to its
// place.
static imp_Vec3 place_point(const Gallery *gallery, imp_Vec3 point)
{
    imp_Vec3 center = gallery->center, step = gallery->step;
    double index = (double)gallery->count, radius = gallery->radius;
    return (imp_Vec3){(point.x / 2 - center.x / 2) / radius * 2 + index * step.x,
                      (point.y / 2 - center.y / 2) / radius * 2 + index * step.y,
                      (point.z / 2 - center.z / 2) / radius * 2 + index * step.z};
}

// False when out of memory.
static bool add_mesh(Gallery *gallery, const imp_Mesh *mesh)
{
    size_t count = imp_mesh_get_vertex_count(mesh);
    Panel *panel = &gallery->panels[gallery->count];
    panel->vertices = calloc(count + 1, sizeof *panel->vertices);
    if (!panel->vertices)
        return false;
    for (size_t i = 0; i < count; ++i)
        panel->vertices[i] = place_point(gallery, imp_mesh_get_vertices(mesh)[i]);
    gallery->meshes[gallery->count++] =
        (impi_PictureMesh){.vertices = panel->vertices,
                           .indices = imp_mesh_get_indices(mesh),
                           .triangle_count = imp_mesh_get_triangle_count(mesh),
                           .colour = IMPI_COLOUR_GREY};
    return true;
}

static bool create_balls(const Gallery *gallery, const imp_Sphere *spheres, size_t count, SphereBalls *balls)
{
    imp_Sphere *placed = calloc(count, sizeof *placed);
    for (size_t i = 0; i < count && placed; ++i)
        placed[i] = (imp_Sphere){.center = place_point(gallery, spheres[i].center),
                                 .radius = spheres[i].radius / gallery->radius};
    bool done = placed && sphere_balls_create(placed, count, false, balls);
    free(placed);
    return done;
}

// Neighbours in the tree have different colours.
static bool add_level(Gallery *gallery, const imp_Sphere *spheres, size_t count)
{
    static const impi_Colour colours[] = {IMPI_COLOUR_BLUE, IMPI_COLOUR_SAND, IMPI_COLOUR_GREEN,
                                          IMPI_COLOUR_MAUVE, IMPI_COLOUR_TEAL};
    Panel *panel = &gallery->panels[gallery->count];
    SphereBalls *balls = &panel->balls;
    if (!create_balls(gallery, spheres, count, balls))
        return false;
    panel->face_colours = malloc(balls->triangle_count);
    if (!panel->face_colours)
        return false;
    for (size_t i = 0; i < balls->triangle_count; ++i)
        panel->face_colours[i] =
            (uint8_t)colours[i / balls->ball_triangle_count % (sizeof colours / sizeof *colours)];
    gallery->meshes[gallery->count++] = (impi_PictureMesh){.vertices = balls->vertices,
                                                           .indices = balls->indices,
                                                           .triangle_count = balls->triangle_count,
                                                           .face_colours = panel->face_colours};
    return true;
}

static bool fill_gallery(Gallery *gallery, const SphereSelection *selection)
{
    const SphereSet *set = selection->sets;
    const imp_Sphere *root = imp_sphere_tree_get_spheres(set->tree, NULL);
    size_t level_count = imp_sphere_tree_get_level_count(set->tree), count;
    gallery->center = root->center;
    gallery->radius = root->radius > 0 ? root->radius : 1;
    gallery->meshes = calloc(level_count + 1, sizeof *gallery->meshes);
    gallery->panels = calloc(level_count + 1, sizeof *gallery->panels);
    if (!gallery->meshes || !gallery->panels || !add_mesh(gallery, imp_sphere_tree_get_mesh(set->tree)))
        return false;
    for (size_t i = 0; i < level_count; ++i) {
        SphereSelection one = {.sets = set, .count = 1, .has_level = true, .level = (uint32_t)i};
        const imp_Sphere *spheres = sphere_selection_spheres(&one, set, &count);
        bool is_drawn = !selection->has_level || selection->level == i;
        if (is_drawn && !add_level(gallery, spheres, count))
            return false;
    }
    return true;
}

static void free_gallery(Gallery *gallery, size_t panel_count)
{
    for (size_t i = 0; i < panel_count && gallery->panels; ++i) {
        free(gallery->panels[i].vertices);
        free(gallery->panels[i].face_colours);
        sphere_balls_free(&gallery->panels[i].balls);
    }
    free(gallery->panels);
    free(gallery->meshes);
}

CommandResult sphere_picture_save(imp_Context *context, const SphereSelection *selection,
                                  const impi_PictureDef *look, const char *path)
{
    Gallery gallery = {0};
    impi_PictureDef picture = *look;
    CommandResult result = COMMAND_DONE;
    choose_view(&picture, &gallery.step);
    picture.title = selection->sets->path;
    if (!fill_gallery(&gallery, selection)) {
        result = command_fail("%s: out of memory", path);
    } else {
        uint32_t wanted = (uint32_t)(PANEL_SIZE * gallery.count);
        picture.meshes = gallery.meshes;
        picture.mesh_count = gallery.count;
        if (picture.size == 0)
            picture.size = wanted < IMPI_MAX_PICTURE_SIZE ? wanted : IMPI_MAX_PICTURE_SIZE;
        if (impi_picture_save(context, &picture, path) != IMP_STATUS_OK)
            result = command_fail_in(context);
    }
    free_gallery(&gallery, imp_sphere_tree_get_level_count(selection->sets->tree) + 1);
    return result;
}
