#include "kit/picture_view.h"

#include "geom/vector.h"

#include <math.h>
#include <string.h>

// A scene that is a single point, or too small to divide by, is drawn as it is.
#define TOO_SMALL 0x1p-1000

#define TRIAL_SIZE 160 // pixels; enough to compare views by

// Scores of a view, as shares between 0 and 1: how much each counts.
#define WEIGHT_COVERED   1.0
#define WEIGHT_SEEN      1.0
#define WEIGHT_STANDING  4.0
#define PREFER_THE_FRONT 0.03 // per step away from the first candidate

static bool is_zero(imp_Vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

typedef struct Axes {
    imp_Vec3 right, up, front;
} Axes;

static Axes scene_axes(imp_Vec3 up)
{
    Axes axes;
    axes.up = is_zero(up) ? (imp_Vec3){0, 1, 0} : impi_unit(up);
    imp_Vec3 side = fabs(axes.up.x) < 0.9 ? (imp_Vec3){1, 0, 0} : (imp_Vec3){0, 1, 0};
    axes.front = impi_unit(impi_cross(side, axes.up));
    axes.right = impi_cross(axes.up, axes.front);
    return axes;
}

static imp_Vec3 from_axes(const Axes *axes, double right, double up, double front)
{
    return (imp_Vec3){right * axes->right.x + up * axes->up.x + front * axes->front.x,
                      right * axes->right.y + up * axes->up.y + front * axes->front.y,
                      right * axes->right.z + up * axes->up.z + front * axes->front.z};
}

bool impi_picture_view_named(const char *name, imp_Vec3 up, imp_Vec3 *view)
{
    static const struct {
        const char *name;
        double right, up, front;
    } sides[] = {{"front", 0, 0, 1}, {"back", 0, 0, -1}, {"left", -1, 0, 0},
                 {"right", 1, 0, 0}, {"top", 0, 1, 0},   {"bottom", 0, -1, 0}};
    Axes axes = scene_axes(up);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; ++i) {
        if (strcmp(sides[i].name, name) != 0)
            continue;
        *view = from_axes(&axes, sides[i].right, sides[i].up, sides[i].front);
        return true;
    }
    return false;
}

static void look_from(const Axes *axes, imp_Vec3 view, impi_Camera *camera)
{
    camera->toward = impi_unit(view);
    imp_Vec3 right = impi_cross(axes->up, camera->toward);
    // Straight from above or below: what lies in front comes at the bottom of the picture, or at the top.
    if (impi_dot(right, right) < 1e-12)
        right = axes->right;
    camera->right = impi_unit(right);
    camera->up = impi_cross(camera->toward, camera->right);
}

void impi_picture_triangle(const impi_PictureMesh *mesh, size_t face, imp_Vec3 corners[3])
{
    for (int i = 0; i < 3; ++i)
        corners[i] = mesh->vertices[mesh->indices[3 * face + (size_t)i]];
}

impi_Colour impi_picture_face_colour(const impi_PictureDef *def, size_t mesh, size_t face)
{
    const impi_PictureMesh *m = &def->meshes[mesh];
    if (m->face_colours && m->face_colours[face] != IMPI_COLOUR_BY_PLACE)
        return (impi_Colour)m->face_colours[face];
    if (m->colour != IMPI_COLOUR_BY_PLACE)
        return m->colour;
    return (impi_Colour)(IMPI_COLOUR_BLUE + mesh % (IMPI_COLOUR_TOUCH - IMPI_COLOUR_BLUE));
}

static void enclose_scene(const impi_PictureDef *def, impi_Camera *camera)
{
    imp_Vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t m = 0; m < def->mesh_count; ++m) {
        const impi_PictureMesh *mesh = &def->meshes[m];
        for (size_t i = 0; i < 3 * mesh->triangle_count; ++i) {
            imp_Vec3 v = mesh->vertices[mesh->indices[i]];
            low = (imp_Vec3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
            high = (imp_Vec3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
        }
    }
    // Halved before they are added or subtracted, so that the largest doubles don't overflow.
    imp_Vec3 half = {high.x / 2 - low.x / 2, high.y / 2 - low.y / 2, high.z / 2 - low.z / 2};
    camera->centre = (imp_Vec3){low.x / 2 + high.x / 2, low.y / 2 + high.y / 2, low.z / 2 + high.z / 2};
    camera->extent = fmax(half.x, fmax(half.y, half.z));
    if (camera->extent < TOO_SMALL)
        camera->extent = 1;
}

void impi_picture_draw_faces(const impi_PictureDef *def, const impi_Camera *camera, impi_Raster *raster)
{
    impi_raster_clear(raster);
    for (int turn = 0; turn < 2; ++turn) {
        uint32_t number = 0;
        for (size_t m = 0; m < def->mesh_count; ++m) {
            const impi_PictureMesh *mesh = &def->meshes[m];
            for (size_t face = 0; face < mesh->triangle_count; ++face, ++number) {
                imp_Vec3 corners[3];
                impi_Polygon polygon;
                if (impi_colour_stands_out(impi_picture_face_colour(def, m, face)) != (turn == 0))
                    continue;
                impi_picture_triangle(mesh, face, corners);
                if (impi_polygon_project(camera, corners, &polygon))
                    impi_raster_draw(raster, &polygon, number);
            }
        }
    }
}

typedef struct FaceSet {
    uint8_t *seen; // one per face
    size_t face_count, standing_count;
} FaceSet;

static double score_view(const impi_PictureDef *def, const impi_Raster *raster, FaceSet *faces)
{
    size_t covered = 0, seen_count = 0, standing_seen = 0, number = 0;
    size_t pixel_count = (size_t)raster->width * (size_t)raster->height;
    memset(faces->seen, 0, faces->face_count);
    for (size_t i = 0; i < pixel_count; ++i) {
        if (raster->owner[i] == IMPI_NOBODY)
            continue;
        ++covered;
        faces->seen[raster->owner[i]] = 1;
    }
    for (size_t m = 0; m < def->mesh_count; ++m) {
        for (size_t face = 0; face < def->meshes[m].triangle_count; ++face, ++number) {
            if (!faces->seen[number])
                continue;
            ++seen_count;
            standing_seen += impi_colour_stands_out(impi_picture_face_colour(def, m, face));
        }
    }
    // At this resolution no more faces than pixels can be seen, however many there are.
    size_t most_seen = faces->face_count < pixel_count ? faces->face_count : pixel_count;
    size_t most_standing = faces->standing_count < pixel_count ? faces->standing_count : pixel_count;
    double score = WEIGHT_COVERED * (double)covered / (double)pixel_count +
                   WEIGHT_SEEN * (double)seen_count / (double)most_seen;
    if (most_standing)
        score += WEIGHT_STANDING * (double)standing_seen / (double)most_standing;
    return score;
}

static size_t count_standing(const impi_PictureDef *def)
{
    size_t count = 0;
    for (size_t m = 0; m < def->mesh_count; ++m)
        for (size_t face = 0; face < def->meshes[m].triangle_count; ++face)
            count += impi_colour_stands_out(impi_picture_face_colour(def, m, face));
    return count;
}

static bool choose_view(impi_Arena *arena, const impi_PictureDef *def, const Axes *axes, impi_Camera *camera)
{
    // Right and front components; the eye is 0.42 above the middle for each unit of distance.
    static const double candidates[8][2] = {{0.64, 0.77},  {-0.64, 0.77},  {0.87, 0.5},  {-0.87, 0.5},
                                            {0.64, -0.77}, {-0.64, -0.77}, {0.87, -0.5}, {-0.87, -0.5}};
    FaceSet faces = {.standing_count = count_standing(def)};
    impi_Raster raster;
    imp_Vec3 best = {0};
    double best_score = -1;
    for (size_t m = 0; m < def->mesh_count; ++m)
        faces.face_count += def->meshes[m].triangle_count;
    faces.seen = impi_arena_allocate(arena, faces.face_count);
    if (!faces.seen || !impi_raster_create(arena, TRIAL_SIZE, TRIAL_SIZE, &raster))
        return false;
    camera->middle = (imp_Vec2){TRIAL_SIZE / 2.0, TRIAL_SIZE / 2.0};
    camera->scale = TRIAL_SIZE / 2.0 / 1.75; // a cube's half diagonal is sqrt(3) extents
    for (int i = 0; i < 8; ++i) {
        imp_Vec3 view = from_axes(axes, candidates[i][0], 0.42, candidates[i][1]);
        look_from(axes, view, camera);
        impi_picture_draw_faces(def, camera, &raster);
        double score = score_view(def, &raster, &faces) * (1 - PREFER_THE_FRONT * i);
        if (score > best_score) {
            best_score = score;
            best = view;
        }
    }
    look_from(axes, best, camera);
    return true;
}

bool impi_picture_camera(impi_Arena *arena, const impi_PictureDef *def, impi_Camera *camera)
{
    Axes axes = scene_axes(def->up);
    enclose_scene(def, camera);
    if (is_zero(def->view))
        return choose_view(arena, def, &axes, camera);
    look_from(&axes, def->view, camera);
    return true;
}

void impi_picture_fit(const impi_PictureDef *def, int32_t size, int32_t margin, impi_Camera *camera,
                      int32_t *width, int32_t *height)
{
    double x_min = INFINITY, x_max = -INFINITY, y_min = INFINITY, y_max = -INFINITY;
    for (size_t m = 0; m < def->mesh_count; ++m) {
        const impi_PictureMesh *mesh = &def->meshes[m];
        for (size_t i = 0; i < 3 * mesh->triangle_count; ++i) {
            imp_Vec3 p = impi_camera_point(camera, mesh->vertices[mesh->indices[i]]);
            x_min = fmin(x_min, p.x);
            x_max = fmax(x_max, p.x);
            y_min = fmin(y_min, p.y);
            y_max = fmax(y_max, p.y);
        }
    }
    double across = x_max - x_min, down = y_max - y_min, longer = fmax(across, down);
    if (longer < TOO_SMALL)
        longer = 1;
    camera->scale = (size - 2 * margin) / longer;
    *width = (int32_t)ceil(across * camera->scale) + 2 * margin;
    *height = (int32_t)ceil(down * camera->scale) + 2 * margin;
    camera->middle.x = *width / 2.0 - camera->scale * (x_min + x_max) / 2;
    camera->middle.y = *height / 2.0 + camera->scale * (y_min + y_max) / 2;
}
