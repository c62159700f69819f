// How a picture comes about:
//  1. all faces go into a depth buffer, at twice the resolution of the picture: a face that owns no pixel is
//     not seen, and is forgotten (unless it stands out, then it shines through);
//  2. faces that pierce each other, each in front somewhere, are cut along the line where they meet;
//  3. what is left is sorted so that what hides comes after what is hidden, as the depth buffer has it;
//  4. pixels that no order gets right (faces that overlap in a circle), and faces smaller than a pixel, are
//     painted as pixels on top.
// So the text grows with what can be seen, not with the mesh.
#include "kit/picture.h"

#include "base/context.h"
#include "kit/picture_order.h"
#include "kit/picture_style.h"
#include "kit/picture_svg.h"
#include "kit/picture_view.h"

#include <math.h>
#include <string.h>

#define DEFAULT_SIZE            800
#define RASTER_PIXELS_PER_PIXEL 2
#define MARGIN_SHARE            0.03 // of the longer side
#define CUTTING_ROUNDS          6
#define LEAST_SEEN              0.01 // the share of a part that must be seen, or it is not drawn
#define TINY_DOUBLE_AREA        1.5  // faces smaller than this, in pixels, are painted as pixels

// Edges are drawn when faces are larger than some pixels across, and get stronger up to a limit.
#define EDGES_FROM    3.0
#define EDGES_FULL_AT 24.0
#define MOST_EDGE     0.32

static bool is_finite(imp_Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static imp_Status check(imp_Context *context, const impi_PictureDef *def)
{
    size_t face_count = 0;
    for (size_t m = 0; m < def->mesh_count; ++m)
        face_count += def->meshes[m].triangle_count;
    if (face_count == 0)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "there is nothing to draw");
    if (face_count >= IMPI_NOBODY)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu faces are too many for a picture",
                         face_count);
    if (!is_finite(def->view) || !is_finite(def->up))
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE, "the view is not finite");
    if (def->size > IMPI_MAX_PICTURE_SIZE)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a picture is at most %d pixels wide and high", IMPI_MAX_PICTURE_SIZE);
    return IMP_STATUS_OK;
}

static size_t count_pixels(const impi_Raster *raster)
{
    return (size_t)raster->width * (size_t)raster->height;
}

// The faces that own pixels, as polygons, and those that stand out but own none, as ghosts.
static bool collect_faces(impi_Arena *arena, const impi_PictureDef *def, const impi_Camera *camera,
                          impi_Painting *painting)
{
    size_t face_count = 0, visible_count = 0, hidden_count = 0;
    for (size_t m = 0; m < def->mesh_count; ++m)
        face_count += def->meshes[m].triangle_count;
    uint8_t *visible = impi_arena_allocate(arena, face_count);
    if (!visible)
        return false;
    memset(visible, 0, face_count);
    for (size_t i = 0; i < count_pixels(&painting->raster); ++i)
        if (painting->raster.owner[i] != IMPI_NOBODY)
            visible[painting->raster.owner[i]] = 1;
    size_t number = 0;
    for (size_t m = 0; m < def->mesh_count; ++m) {
        for (size_t face = 0; face < def->meshes[m].triangle_count; ++face, ++number) {
            visible_count += visible[number];
            hidden_count +=
                !visible[number] && impi_colour_stands_out(impi_picture_face_colour(def, m, face));
        }
    }
    painting->polygons = impi_arena_allocate_array(arena, visible_count, sizeof *painting->polygons);
    painting->styles = impi_arena_allocate_array(arena, visible_count, sizeof *painting->styles);
    painting->ghosts = impi_arena_allocate_array(arena, hidden_count, sizeof *painting->ghosts);
    painting->ghost_styles = impi_arena_allocate_array(arena, hidden_count, sizeof *painting->ghost_styles);
    if (!painting->polygons || !painting->styles || !painting->ghosts || !painting->ghost_styles)
        return false;
    number = 0;
    for (size_t m = 0; m < def->mesh_count; ++m) {
        for (size_t face = 0; face < def->meshes[m].triangle_count; ++face, ++number) {
            imp_Vec3 corners[3];
            impi_Polygon polygon;
            impi_Colour colour = impi_picture_face_colour(def, m, face);
            if (!visible[number] && !impi_colour_stands_out(colour))
                continue;
            impi_picture_triangle(&def->meshes[m], face, corners);
            if (!impi_polygon_project(camera, corners, &polygon))
                continue;
            if (visible[number]) {
                painting->polygons[painting->count] = polygon;
                painting->styles[painting->count++] = impi_style_of_face(camera, corners, colour);
            } else {
                painting->ghosts[painting->ghost_count] = polygon;
                painting->ghost_styles[painting->ghost_count++] = impi_style_of_face(camera, corners, colour);
            }
        }
    }
    return true;
}

static void draw_polygons(impi_Painting *painting)
{
    impi_raster_clear(&painting->raster);
    for (int turn = 0; turn < 2; ++turn)
        for (uint32_t i = 0; i < painting->count; ++i)
            if (impi_colour_stands_out((impi_Colour)(painting->styles[i] / IMPI_BRIGHTNESS_LEVELS)) ==
                (turn == 0))
                impi_raster_draw(&painting->raster, &painting->polygons[i], i);
}

// Cut the smaller of two polygons that hide each other, or else the larger; the second part is appended.
static bool cut_one_of(impi_Painting *painting, uint32_t a, uint32_t b, bool *was_cut)
{
    if (impi_polygon_double_area(&painting->polygons[a]) > impi_polygon_double_area(&painting->polygons[b])) {
        uint32_t larger = a;
        a = b;
        b = larger;
    }
    for (int turn = 0; turn < 2; ++turn) {
        uint32_t cut = turn ? b : a, cutter = turn ? a : b;
        impi_Polygon parts[2];
        if (was_cut[cut] || !impi_polygon_cut(&painting->polygons[cut], &painting->polygons[cutter], parts))
            continue;
        painting->polygons[cut] = parts[0];
        painting->polygons[painting->count] = parts[1];
        painting->styles[painting->count++] = painting->styles[cut];
        was_cut[cut] = true;
        return true;
    }
    return false;
}

// One round of cuts; each polygon is cut at most once in it, so that there is room for twice as many.
static bool cut_pierced(impi_Arena *arena, impi_Painting *painting, const impi_Hidings *hidings, bool *any)
{
    uint32_t count = painting->count;
    bool *was_cut = impi_arena_allocate_array(arena, count, sizeof *was_cut);
    impi_Polygon *polygons = impi_arena_allocate_array(arena, 2 * (size_t)count, sizeof *polygons);
    uint32_t *styles = impi_arena_allocate_array(arena, 2 * (size_t)count, sizeof *styles);
    if (!was_cut || !polygons || !styles)
        return false;
    memset(was_cut, 0, count * sizeof *was_cut);
    memcpy(polygons, painting->polygons, count * sizeof *polygons);
    memcpy(styles, painting->styles, count * sizeof *styles);
    painting->polygons = polygons;
    painting->styles = styles;
    for (uint32_t back = 0; back < count; ++back) {
        for (size_t i = hidings->first[back]; i < hidings->first[back + 1]; ++i) {
            uint32_t front = hidings->front[i];
            if (front > back && impi_is_behind(hidings, front, back))
                *any |= cut_one_of(painting, back, front, was_cut);
        }
    }
    return true;
}

// Parts that own no pixel lie behind the polygon that they were cut by. Where snapped corners leave hairlines
// open they own a few, which are left to the repairs.
static bool forget_hidden(impi_Arena *arena, impi_Painting *painting)
{
    uint32_t *owned = impi_arena_allocate_array(arena, painting->count, sizeof *owned);
    uint32_t kept = 0, *owner = painting->raster.owner;
    size_t pixel_count = count_pixels(&painting->raster);
    if (!owned)
        return false;
    memset(owned, 0, painting->count * sizeof *owned);
    for (size_t i = 0; i < pixel_count; ++i)
        if (owner[i] != IMPI_NOBODY)
            ++owned[owner[i]];
    for (uint32_t i = 0; i < painting->count; ++i) {
        const impi_Polygon *polygon = &painting->polygons[i];
        double least = polygon->cut_edges ? LEAST_SEEN * impi_polygon_double_area(polygon) / 2 : 0;
        if (owned[i] <= least)
            continue;
        painting->polygons[kept] = *polygon;
        painting->styles[kept++] = painting->styles[i];
    }
    bool any = kept < painting->count;
    painting->count = kept;
    if (any)
        draw_polygons(painting);
    return true;
}

static void note_styles(const impi_Painting *painting, uint16_t *styles)
{
    for (size_t i = 0; i < count_pixels(&painting->raster); ++i) {
        uint32_t owner = painting->raster.owner[i];
        styles[i] = owner == IMPI_NOBODY ? IMPI_NO_STYLE : (uint16_t)painting->styles[owner];
    }
}

// Cut what pierces each other, and find out what hides what. `wanted` gets the style that is to be seen in
// each pixel, from before the cuts: parts have their corners snapped, which may leave hairlines between them.
static bool untangle(impi_Arena *arena, impi_Painting *painting, impi_Hidings *hidings, uint16_t *wanted)
{
    for (int round = 0;; ++round) {
        bool any = false;
        draw_polygons(painting);
        if (round == 0)
            note_styles(painting, wanted);
        if (!forget_hidden(arena, painting) ||
            !impi_find_hidings(arena, &painting->raster, painting->polygons, painting->count, hidings))
            return false;
        if (round == CUTTING_ROUNDS)
            return true;
        if (!cut_pierced(arena, painting, hidings, &any))
            return false;
        if (!any)
            return true;
    }
}

static bool arrange(impi_Arena *arena, impi_Painting *painting, const impi_Hidings *hidings)
{
    impi_OrderDef def = {.polygons = painting->polygons,
                         .styles = painting->styles,
                         .count = painting->count,
                         .style_count = IMPI_STYLE_COUNT,
                         .hidings = hidings};
    painting->order = impi_arena_allocate_array(arena, painting->count, sizeof *painting->order);
    painting->breaks = impi_arena_allocate_array(arena, painting->count, sizeof *painting->breaks);
    if (!painting->order || !painting->breaks || !impi_paint_order(arena, &def, painting->order))
        return false;
    for (uint32_t i = 0; i < painting->count; ++i)
        if (impi_polygon_double_area(&painting->polygons[painting->order[i]]) >= TINY_DOUBLE_AREA)
            painting->order[painting->order_count++] = painting->order[i];
    return impi_paint_breaks(arena, &def, painting->order, painting->order_count, painting->breaks);
}

// Paint as the reader of the picture will, and note what comes out wrong.
static bool find_repairs(impi_Arena *arena, impi_Painting *painting, const uint16_t *wanted)
{
    size_t pixel_count = count_pixels(&painting->raster);
    uint16_t *painted = impi_arena_allocate_array(arena, pixel_count, sizeof *painted);
    if (!painted)
        return false;
    memset(painted, 0xFF, pixel_count * sizeof *painted);
    for (uint32_t i = 0; i < painting->order_count; ++i) {
        uint32_t polygon = painting->order[i];
        impi_Spans spans = impi_spans_begin(&painting->polygons[polygon], &painting->raster);
        while (impi_spans_next(&spans))
            for (int32_t x = spans.begin; x < spans.end; ++x)
                painted[(size_t)spans.y * (size_t)painting->raster.width + (size_t)x] =
                    (uint16_t)painting->styles[polygon];
    }
    for (size_t i = 0; i < pixel_count; ++i)
        painted[i] = painted[i] == wanted[i] ? IMPI_NO_STYLE : wanted[i];
    painting->repairs = painted;
    return true;
}

static double edge_strength(const impi_Painting *painting)
{
    size_t covered = 0;
    for (size_t i = 0; i < count_pixels(&painting->raster); ++i)
        covered += painting->raster.owner[i] != IMPI_NOBODY;
    double across = sqrt((double)covered / fmax(painting->count, 1)) / RASTER_PIXELS_PER_PIXEL;
    double share = (across - EDGES_FROM) / (EDGES_FULL_AT - EDGES_FROM);
    return MOST_EDGE * fmin(fmax(share, 0), 1);
}

static bool paint(impi_Arena *arena, const impi_PictureDef *def, impi_Painting *painting)
{
    impi_Camera *camera = &painting->camera;
    impi_Hidings hidings;
    int32_t width, height;
    int32_t size = (int32_t)(def->size ? def->size : DEFAULT_SIZE) * RASTER_PIXELS_PER_PIXEL;
    if (!impi_picture_camera(arena, def, camera))
        return false;
    impi_picture_fit(def, size, (int32_t)(size * MARGIN_SHARE), camera, &width, &height);
    if (!impi_raster_create(arena, width, height, &painting->raster))
        return false;
    impi_picture_draw_faces(def, camera, &painting->raster);
    uint16_t *wanted = impi_arena_allocate_array(arena, count_pixels(&painting->raster), sizeof *wanted);
    if (!wanted || !collect_faces(arena, def, camera, painting) ||
        !untangle(arena, painting, &hidings, wanted) || !arrange(arena, painting, &hidings) ||
        !find_repairs(arena, painting, wanted))
        return false;
    painting->lines = def->lines;
    painting->line_count = def->line_count;
    painting->raster_pixels_per_pixel = RASTER_PIXELS_PER_PIXEL;
    painting->edge_strength = edge_strength(painting);
    return true;
}

imp_Status impi_picture_draw(imp_Context *context, const impi_PictureDef *def, impi_Text *svg)
{
    imp_Status status = check(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    impi_Arena arena;
    impi_Painting painting = {0};
    impi_arena_init(&arena, &context->allocator);
    size_t length_before = svg->bytes.count;
    bool painted = paint(&arena, def, &painting);
    if (painted)
        impi_painting_write(&painting, def->title, svg);
    impi_arena_destroy(&arena);
    if (painted && !svg->out_of_memory)
        return IMP_STATUS_OK;
    svg->bytes.count = length_before;
    return impi_fail_out_of_memory(context);
}

imp_Status impi_picture_save(imp_Context *context, const impi_PictureDef *def, const char *path)
{
    impi_Text svg;
    impi_text_init(&svg, &context->allocator);
    imp_Status status = impi_picture_draw(context, def, &svg);
    if (status == IMP_STATUS_OK)
        status = impi_text_save(context, &svg, path);
    impi_text_free(&svg);
    return status;
}
