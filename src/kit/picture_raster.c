#include "kit/picture_raster.h"

#include "geom/vector.h"

#include <math.h>

// Depths that differ by less are the same: coplanar faces must not flicker from pixel to pixel. In units of
// the camera's extent.
#define SAME_DEPTH 1e-9

// No part smaller than this is worth a cut, in sub-pixels squared: about one pixel.
#define MIN_PART_DOUBLE_AREA (2 * IMPI_SUBPIXELS * IMPI_SUBPIXELS)

typedef struct ScreenPoint {
    double x, y, depth; // pixels
} ScreenPoint;

imp_Vec3 impi_camera_point(const impi_Camera *camera, imp_Vec3 point)
{
    double extent = camera->extent;
    imp_Vec3 relative = {(point.x - camera->centre.x) / extent, (point.y - camera->centre.y) / extent,
                         (point.z - camera->centre.z) / extent};
    return (imp_Vec3){impi_dot(relative, camera->right), impi_dot(relative, camera->up),
                      impi_dot(relative, camera->toward)};
}

static ScreenPoint project_point(const impi_Camera *camera, imp_Vec3 point)
{
    imp_Vec3 p = impi_camera_point(camera, point);
    return (ScreenPoint){camera->middle.x + camera->scale * p.x, camera->middle.y - camera->scale * p.y, p.z};
}

static int32_t snap(double pixels)
{
    return (int32_t)floor(pixels * IMPI_SUBPIXELS + 0.5);
}

void impi_camera_project(const impi_Camera *camera, imp_Vec3 point, int32_t *x, int32_t *y)
{
    ScreenPoint p = project_point(camera, point);
    *x = snap(p.x);
    *y = snap(p.y);
}

static int64_t double_area(const impi_Polygon *p)
{
    int64_t sum = 0;
    for (int i = 2; i < p->corner_count; ++i)
        sum += (int64_t)(p->x[i - 1] - p->x[0]) * (p->y[i] - p->y[0]) -
               (int64_t)(p->x[i] - p->x[0]) * (p->y[i - 1] - p->y[0]);
    return sum;
}

double impi_polygon_double_area(const impi_Polygon *polygon)
{
    return (double)double_area(polygon) / (IMPI_SUBPIXELS * IMPI_SUBPIXELS);
}

// The plane comes from the corners before they are snapped, so that coplanar faces have the same depth
// wherever their corners are.
static void fit_plane(impi_Polygon *polygon, const ScreenPoint p[3])
{
    double ax = p[1].x - p[0].x, ay = p[1].y - p[0].y, az = p[1].depth - p[0].depth;
    double bx = p[2].x - p[0].x, by = p[2].y - p[0].y, bz = p[2].depth - p[0].depth;
    double area = ax * by - bx * ay;
    polygon->depth_min = fmin(p[0].depth, fmin(p[1].depth, p[2].depth));
    polygon->depth_max = fmax(p[0].depth, fmax(p[1].depth, p[2].depth));
    polygon->depth_middle = (p[0].depth + p[1].depth + p[2].depth) / 3;
    double slope_x = (az * by - bz * ay) / area, slope_y = (ax * bz - bx * az) / area;
    if (!isfinite(slope_x) || !isfinite(slope_y))
        slope_x = slope_y = 0;
    polygon->plane[0] = p[0].depth - (p[0].x * slope_x + p[0].y * slope_y);
    polygon->plane[1] = slope_x;
    polygon->plane[2] = slope_y;
}

bool impi_polygon_project(const impi_Camera *camera, const imp_Vec3 corners[3], impi_Polygon *polygon)
{
    ScreenPoint p[3];
    polygon->corner_count = 3;
    polygon->cut_edges = 0;
    for (int i = 0; i < 3; ++i) {
        p[i] = project_point(camera, corners[i]);
        polygon->x[i] = snap(p[i].x);
        polygon->y[i] = snap(p[i].y);
    }
    int64_t area = double_area(polygon);
    if (area == 0)
        return false;
    fit_plane(polygon, p);
    if (area < 0) {
        int32_t x = polygon->x[1], y = polygon->y[1];
        polygon->x[1] = polygon->x[2];
        polygon->y[1] = polygon->y[2];
        polygon->x[2] = x;
        polygon->y[2] = y;
    }
    return true;
}

static double plane_depth(const impi_Polygon *polygon, double x, double y)
{
    return polygon->plane[0] + (x * polygon->plane[1] + y * polygon->plane[2]);
}

static double clamped_depth(const impi_Polygon *polygon, double x, double y)
{
    return fmin(fmax(plane_depth(polygon, x, y), polygon->depth_min), polygon->depth_max);
}

static bool add_corner(impi_Polygon *polygon, int32_t x, int32_t y, bool cut_edge_follows)
{
    unsigned corner = (unsigned)polygon->corner_count;
    if (corner > 0 && polygon->x[corner - 1] == x && polygon->y[corner - 1] == y)
        --corner; // the edge between them is gone, so what follows counts
    if (corner == IMPI_MAX_CORNERS)
        return false;
    polygon->x[corner] = x;
    polygon->y[corner] = y;
    polygon->cut_edges = (polygon->cut_edges & ~(1u << corner)) | (unsigned)cut_edge_follows << corner;
    polygon->corner_count = (int)corner + 1;
    return true;
}

static bool is_convex(const impi_Polygon *p)
{
    for (int i = 0; i < p->corner_count; ++i) {
        int j = (i + 1) % p->corner_count, k = (i + 2) % p->corner_count;
        if ((int64_t)(p->x[j] - p->x[i]) * (p->y[k] - p->y[j]) <
            (int64_t)(p->x[k] - p->x[j]) * (p->y[j] - p->y[i]))
            return false;
    }
    return true;
}

// Snapping may bend a part inwards, or shrink it to nothing.
static bool is_worth_keeping(const impi_Polygon *part)
{
    return double_area(part) >= MIN_PART_DOUBLE_AREA && is_convex(part);
}

static void close_polygon(impi_Polygon *polygon)
{
    int last = polygon->corner_count - 1;
    if (last > 0 && polygon->x[last] == polygon->x[0] && polygon->y[last] == polygon->y[0])
        polygon->corner_count = last;
}

bool impi_polygon_cut(const impi_Polygon *polygon, const impi_Polygon *cutter, impi_Polygon parts[2])
{
    double ahead[IMPI_MAX_CORNERS]; // how far each corner is in front of the cutter's plane
    int count = polygon->corner_count;
    for (int i = 0; i < count; ++i) {
        double x = (double)polygon->x[i] / IMPI_SUBPIXELS, y = (double)polygon->y[i] / IMPI_SUBPIXELS;
        ahead[i] = plane_depth(polygon, x, y) - plane_depth(cutter, x, y);
    }
    impi_Polygon made[2] = {*polygon, *polygon};
    made[0].corner_count = made[1].corner_count = 0;
    bool fits = true;
    for (int i = 0; i < count; ++i) {
        int next = (i + 1) % count, side = ahead[i] < 0, next_side = ahead[next] < 0;
        bool was_cut = polygon->cut_edges >> i & 1;
        fits = fits && add_corner(&made[side], polygon->x[i], polygon->y[i], was_cut);
        if (side == next_side)
            continue;
        double t = ahead[i] / (ahead[i] - ahead[next]);
        int32_t x = polygon->x[i] + (int32_t)floor(t * (polygon->x[next] - polygon->x[i]) + 0.5);
        int32_t y = polygon->y[i] + (int32_t)floor(t * (polygon->y[next] - polygon->y[i]) + 0.5);
        fits = fits && add_corner(&made[side], x, y, true) && add_corner(&made[next_side], x, y, was_cut);
    }
    close_polygon(&made[0]);
    close_polygon(&made[1]);
    if (!fits || !is_worth_keeping(&made[0]) || !is_worth_keeping(&made[1]))
        return false;
    parts[0] = made[0];
    parts[1] = made[1];
    return true;
}

bool impi_raster_create(impi_Arena *arena, int32_t width, int32_t height, impi_Raster *raster)
{
    size_t pixel_count = (size_t)width * (size_t)height;
    raster->width = width;
    raster->height = height;
    raster->depth = impi_arena_allocate_array(arena, pixel_count, sizeof *raster->depth);
    raster->middle = impi_arena_allocate_array(arena, pixel_count, sizeof *raster->middle);
    raster->doubt = impi_arena_allocate_array(arena, pixel_count, sizeof *raster->doubt);
    raster->owner = impi_arena_allocate_array(arena, pixel_count, sizeof *raster->owner);
    return raster->depth && raster->middle && raster->doubt && raster->owner;
}

void impi_raster_clear(impi_Raster *raster)
{
    size_t pixel_count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < pixel_count; ++i) {
        raster->depth[i] = -INFINITY;
        raster->doubt[i] = 0;
        raster->owner[i] = IMPI_NOBODY;
    }
}

void impi_raster_draw(impi_Raster *raster, const impi_Polygon *polygon, uint32_t id)
{
    float middle = (float)polygon->depth_middle;
    double slope = fabs(polygon->plane[1]) + fabs(polygon->plane[2]);
    // Steep polygons don't span more depth than their corners do.
    float doubt = (float)fmin(slope / IMPI_SUBPIXELS, polygon->depth_max - polygon->depth_min);
    impi_Spans spans = impi_spans_begin(polygon, raster);
    while (impi_spans_next(&spans)) {
        size_t row = (size_t)spans.y * (size_t)raster->width;
        for (int32_t x = spans.begin; x < spans.end; ++x) {
            size_t pixel = row + (size_t)x;
            double depth = clamped_depth(polygon, x + 0.5, spans.y + 0.5);
            double ahead = depth - raster->depth[pixel];
            if (fabs(ahead) <= SAME_DEPTH)
                continue;
            bool in_doubt = fabs(ahead) <= (doubt > raster->doubt[pixel] ? doubt : raster->doubt[pixel]);
            if (in_doubt ? middle > raster->middle[pixel] : ahead > 0) {
                raster->depth[pixel] = depth;
                raster->middle[pixel] = middle;
                raster->doubt[pixel] = doubt;
                raster->owner[pixel] = id;
            }
        }
    }
}

static int64_t floor_divide(int64_t a, int64_t b) // b > 0
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static int32_t clamp_pixel(int64_t pixel, int32_t limit)
{
    return pixel < 0 ? 0 : pixel > limit ? limit : (int32_t)pixel;
}

// A pixel whose centre lies on an edge belongs to the polygon for which that edge is a left or a top one.
static bool owns_its_edge(int64_t dx, int64_t dy)
{
    return dy < 0 || (dy == 0 && dx > 0);
}

impi_Spans impi_spans_begin(const impi_Polygon *polygon, const impi_Raster *raster)
{
    impi_Spans spans = {.polygon = polygon};
    int32_t x_min = INT32_MAX, x_max = INT32_MIN, y_min = INT32_MAX, y_max = INT32_MIN;
    for (int i = 0; i < polygon->corner_count; ++i) {
        x_min = polygon->x[i] < x_min ? polygon->x[i] : x_min;
        x_max = polygon->x[i] > x_max ? polygon->x[i] : x_max;
        y_min = polygon->y[i] < y_min ? polygon->y[i] : y_min;
        y_max = polygon->y[i] > y_max ? polygon->y[i] : y_max;
    }
    spans.left = clamp_pixel(floor_divide(x_min, IMPI_SUBPIXELS), raster->width);
    spans.right = clamp_pixel(floor_divide(x_max, IMPI_SUBPIXELS) + 1, raster->width);
    spans.row = clamp_pixel(floor_divide(y_min, IMPI_SUBPIXELS), raster->height);
    spans.bottom = clamp_pixel(floor_divide(y_max, IMPI_SUBPIXELS) + 1, raster->height);
    for (int i = 0; i < polygon->corner_count; ++i) {
        int next = (i + 1) % polygon->corner_count;
        int64_t dx = polygon->x[next] - polygon->x[i], dy = polygon->y[next] - polygon->y[i];
        int64_t x = (int64_t)spans.left * IMPI_SUBPIXELS + IMPI_SUBPIXELS / 2 - polygon->x[i];
        int64_t y = (int64_t)spans.row * IMPI_SUBPIXELS + IMPI_SUBPIXELS / 2 - polygon->y[i];
        spans.value[i] = dx * y - dy * x - !owns_its_edge(dx, dy);
        spans.slope[i] = -dy * IMPI_SUBPIXELS;
        spans.step[i] = dx * IMPI_SUBPIXELS;
    }
    return spans;
}

bool impi_spans_next(impi_Spans *spans)
{
    while (spans->row < spans->bottom) {
        int64_t begin = 0, end = spans->right - spans->left;
        for (int i = 0; i < spans->polygon->corner_count; ++i) {
            int64_t value = spans->value[i], slope = spans->slope[i];
            if (slope > 0) {
                int64_t first = -floor_divide(value, slope);
                begin = first > begin ? first : begin;
            } else if (slope < 0) {
                int64_t past = floor_divide(value, -slope) + 1;
                end = past < end ? past : end;
            } else if (value < 0) {
                end = 0;
            }
            spans->value[i] += spans->step[i];
        }
        spans->y = spans->row++;
        if (begin < end) {
            spans->begin = spans->left + (int32_t)begin;
            spans->end = spans->left + (int32_t)end;
            return true;
        }
    }
    return false;
}
