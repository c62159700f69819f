// Pictures are checked by painting them: a small reader of the SVG that we write fills the paths onto a
// canvas, and the canvas is compared with rays shot at the triangles themselves.
#include "kit/picture.h"

#include "base/context.h"
#include "failing_allocator.h"
#include "harness.h"
#include "kit/picture_style.h"
#include "kit/picture_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CANVAS 512

typedef struct Canvas {
    int width, height; // in pixels of the raster: 2 x 2 to one of the picture
    uint32_t colour[MAX_CANVAS * MAX_CANVAS];
} Canvas;

static Canvas canvas;

#define WHITE 0xFFFFFFu

static uint32_t packed(impi_Rgb c)
{
    return (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue;
}

// Fill a polygon by the even-odd rule, at the centres of pixels. Those on an edge belong to what lies to the
// right of it, or below.
static void fill(const double *x, const double *y, int count, uint32_t colour)
{
    for (int row = 0; row < canvas.height; ++row) {
        for (int column = 0; column < canvas.width; ++column) {
            double px = column + 0.5 + 1e-6, py = row + 0.5 + 1e-9;
            bool inside = false;
            for (int i = 0, j = count - 1; i < count; j = i++)
                if ((y[i] > py) != (y[j] > py) && px < (x[j] - x[i]) * (py - y[i]) / (y[j] - y[i]) + x[i])
                    inside = !inside;
            if (inside)
                canvas.colour[row * MAX_CANVAS + column] = colour;
        }
    }
}

// M, l, h, v and z are all that our paths of faces are made of.
static void fill_path(const char *d, uint32_t colour)
{
    double x[16], y[16];
    int count = 0;
    char command = 0;
    while (*d != '"') {
        char *end;
        if (strchr("Mlhvz", *d))
            command = *d++;
        if (command == 'z') {
            fill(x, y, count, colour);
            count = 0;
            command = 0;
            continue;
        }
        double first = strtod(d, &end) / IMPI_SUBPIXELS;
        double last_x = count ? x[count - 1] : 0, last_y = count ? y[count - 1] : 0;
        if (!CHECK(end != d) || !CHECK(count < 16))
            return;
        d = end;
        bool one_number = command == 'h' || command == 'v';
        double second = one_number ? 0 : strtod(d, &end) / IMPI_SUBPIXELS;
        d = end;
        x[count] = last_x + (command == 'v' ? 0 : first);
        y[count++] = last_y + (command == 'v' ? first : second);
    }
}

static void paint_svg(const char *svg)
{
    double width, height;
    const char *size = strstr(svg, "viewBox=\"0 0 ");
    if (!CHECK(size && sscanf(size, "viewBox=\"0 0 %lf %lf", &width, &height) == 2))
        return;
    canvas.width = (int)(width / IMPI_SUBPIXELS);
    canvas.height = (int)(height / IMPI_SUBPIXELS);
    if (!CHECK(canvas.width <= MAX_CANVAS && canvas.height <= MAX_CANVAS))
        return;
    for (int i = 0; i < MAX_CANVAS * MAX_CANVAS; ++i)
        canvas.colour[i] = WHITE;
    for (const char *path = svg; (path = strstr(path, "<path ")); ++path) {
        unsigned colour;
        if (sscanf(path, "<path fill=\"#%6x\"", &colour) == 1)
            fill_path(strstr(path, " d=\"") + 4, colour);
    }
}

static imp_Context *create_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

// The text of a picture, to be freed.
static char *draw(const impi_PictureDef *def)
{
    imp_Context *context = create_context();
    impi_Text text;
    impi_text_init(&text, &context->allocator);
    CHECK_INT(impi_picture_draw(context, def, &text), IMP_STATUS_OK);
    char *copy = calloc(text.bytes.count + 1, 1);
    if (text.bytes.count)
        memcpy(copy, text.bytes.data, text.bytes.count);
    impi_text_free(&text);
    imp_context_destroy(context);
    return copy;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); ++text)
        ++count;
    return count;
}

static const uint32_t two_triangles[] = {0, 1, 2, 0, 2, 3};
static const imp_Vec3 wide_plate[] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
static const imp_Vec3 small_plate[] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}};

TEST(faces_that_are_hidden_are_not_drawn)
{
    impi_PictureMesh meshes[] = {{.vertices = small_plate, .indices = two_triangles, .triangle_count = 2},
                                 {.vertices = wide_plate, .indices = two_triangles, .triangle_count = 2}};
    char *front = draw(&(impi_PictureDef){.meshes = meshes, .mesh_count = 2, .view = {0, 0, 1}});
    CHECK_INT((int64_t)count_of(front, "<path"), 1);
    char *back = draw(&(impi_PictureDef){.meshes = meshes, .mesh_count = 2, .view = {0, 0, -1}});
    CHECK_INT((int64_t)count_of(back, "<path"), 2);
    free(front);
    free(back);
}

TEST(faces_that_stand_out_shine_through)
{
    const uint8_t colours[] = {IMPI_COLOUR_TOUCH, IMPI_COLOUR_BY_PLACE};
    impi_PictureMesh meshes[] = {
        {.vertices = small_plate, .indices = two_triangles, .triangle_count = 2, .face_colours = colours},
        {.vertices = wide_plate, .indices = two_triangles, .triangle_count = 2}};
    char *hidden = draw(&(impi_PictureDef){.meshes = meshes, .mesh_count = 2, .view = {0, 0, 1}});
    CHECK_INT((int64_t)count_of(hidden, "<path"), 2);
    CHECK_CONTAINS(hidden, "fill-opacity");
    char *seen = draw(&(impi_PictureDef){.meshes = meshes, .mesh_count = 2, .view = {0, 0, -1}});
    CHECK_INT((int64_t)count_of(seen, "<path"), 3);
    CHECK(!strstr(seen, "fill-opacity"));
    free(hidden);
    free(seen);
}

TEST(lines_come_on_top_and_end_in_dots)
{
    impi_PictureMesh mesh = {.vertices = wide_plate, .indices = two_triangles, .triangle_count = 2};
    const imp_Vec3 span[] = {{-2, -2, -1}, {2, 2, -1}}, triangle[] = {{0, 0, -3}, {1, 0, -3}, {0, 1, -3}};
    impi_PictureLine lines[] = {{.points = span, .point_count = 2, .has_dots = true},
                                {.points = triangle, .point_count = 3, .is_closed = true},
                                {.points = span, .point_count = 1, .has_dots = true}};
    impi_PictureDef def = {.meshes = &mesh, .mesh_count = 1, .view = {0, 0, 1}, .size = 100};
    char *without = draw(&def);
    def.lines = lines;
    def.line_count = 3;
    char *with = draw(&def), *end = strstr(without, "</svg>");
    size_t shared = end ? (size_t)(end - without) : 0;
    CHECK(shared > 0 && strncmp(without, with, shared) == 0); // nothing else changes
    CHECK_INT((int64_t)count_of(with + shared, "<path"), 4);
    // 100 pixels of 16 sub-pixels, 3 % margins: corners at 48 and 1552.
    CHECK_CONTAINS(with + shared, "d=\"M48 1552L1552 48M800 800L1176 800L800 424z\"");
    CHECK_CONTAINS(with + shared, "d=\"M48 1552h0M1552 48h0M48 1552h0M48 1552h0\"");
    def.lines = lines + 1;
    def.line_count = 1;
    char *curve = draw(&def);
    CHECK_INT((int64_t)count_of(curve + shared, "<path"), 2);
    free(without);
    free(with);
    free(curve);
}

TEST(where_faces_coincide_the_one_that_stands_out_is_seen)
{
    impi_PictureMesh meshes[] = {
        {.vertices = wide_plate, .indices = two_triangles, .triangle_count = 2},
        {.vertices = wide_plate, .indices = two_triangles, .triangle_count = 2, .colour = IMPI_COLOUR_TOUCH}};
    char *svg = draw(&(impi_PictureDef){.meshes = meshes, .mesh_count = 2, .view = {0, 0, 1}, .size = 64});
    paint_svg(svg);
    uint32_t middle = canvas.colour[canvas.height / 2 * MAX_CANVAS + canvas.width / 2];
    CHECK(middle >> 16 > 2 * (middle >> 8 & 0xFF)); // red
    free(svg);
}

// A soup of triangles that pierce and overlap each other at random.

#define SOUP_COUNT 24

typedef struct Soup {
    imp_Vec3 vertices[SOUP_COUNT * 3];
    impi_PictureMesh meshes[SOUP_COUNT];
    impi_PictureDef def;
} Soup;

static const uint32_t one_triangle[] = {0, 1, 2};

static void make_soup(Soup *soup)
{
    for (int i = 0; i < SOUP_COUNT * 3; ++i)
        soup->vertices[i] =
            (imp_Vec3){test_random_between(-1, 1), test_random_between(-1, 1), test_random_between(-1, 1)};
    for (int i = 0; i < SOUP_COUNT; ++i)
        soup->meshes[i] = (impi_PictureMesh){
            .vertices = soup->vertices + 3 * i, .indices = one_triangle, .triangle_count = 1};
    soup->def = (impi_PictureDef){.meshes = soup->meshes,
                                  .mesh_count = SOUP_COUNT,
                                  .view = {test_random_between(-1, 1), test_random_between(-1, 1), 1},
                                  .size = 100};
}

typedef struct Point {
    double x, y, depth;
} Point;

static Point on_screen(const impi_Camera *c, imp_Vec3 v)
{
    imp_Vec3 p = {(v.x - c->centre.x) / c->extent, (v.y - c->centre.y) / c->extent,
                  (v.z - c->centre.z) / c->extent};
    return (Point){c->middle.x + c->scale * (p.x * c->right.x + p.y * c->right.y + p.z * c->right.z),
                   c->middle.y - c->scale * (p.x * c->up.x + p.y * c->up.y + p.z * c->up.z),
                   p.x * c->toward.x + p.y * c->toward.y + p.z * c->toward.z};
}

// Which triangle a ray through a pixel meets first; -1 for none, -2 when it is too close to call: less than a
// pixel from an edge, or from where the surfaces meet.
static int first_hit(const Soup *soup, const impi_Camera *camera, double x, double y)
{
    int nearest = -1;
    double depth = -INFINITY, second = -INFINITY, steepest = 0;
    for (int i = 0; i < SOUP_COUNT; ++i) {
        Point a = on_screen(camera, soup->vertices[3 * i]), b = on_screen(camera, soup->vertices[3 * i + 1]);
        Point c = on_screen(camera, soup->vertices[3 * i + 2]);
        double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        double u = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
        double v = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
        double longest =
            fmax(hypot(b.x - a.x, b.y - a.y), fmax(hypot(c.x - a.x, c.y - a.y), hypot(c.x - b.x, c.y - b.y)));
        double one_pixel = longest / fabs(area); // in barycentric coordinates
        double inside = fmin(u, fmin(v, 1 - u - v));
        if (fabs(inside) < one_pixel)
            return -2;
        if (inside < 0)
            continue;
        double d = a.depth + u * (b.depth - a.depth) + v * (c.depth - a.depth);
        double slope_x = ((b.depth - a.depth) * (c.y - a.y) - (c.depth - a.depth) * (b.y - a.y)) / area;
        double slope_y = ((b.x - a.x) * (c.depth - a.depth) - (c.x - a.x) * (b.depth - a.depth)) / area;
        steepest = fmax(steepest, fabs(slope_x) + fabs(slope_y));
        if (d > depth) {
            second = depth;
            depth = d;
            nearest = i;
        } else if (d > second) {
            second = d;
        }
    }
    return nearest >= 0 && depth - second < steepest ? -2 : nearest;
}

TEST(what_is_in_front_is_on_top)
{
    size_t compared = 0, hits = 0, wrong = 0;
    for (uint64_t round = 0; round < test_count(12); ++round) {
        Soup soup;
        make_soup(&soup);
        char *svg = draw(&soup.def);
        paint_svg(svg);
        free(svg);
        impi_Camera camera;
        int32_t width, height;
        impi_Arena arena;
        impi_arena_init(&arena, &impi_default_allocator);
        CHECK(impi_picture_camera(&arena, &soup.def, &camera));
        impi_picture_fit(&soup.def, 200, 6, &camera, &width, &height);
        CHECK_INT(width, canvas.width);
        CHECK_INT(height, canvas.height);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                int hit = first_hit(&soup, &camera, x + 0.5, y + 0.5);
                if (hit == -2)
                    continue;
                uint32_t expected = WHITE;
                if (hit >= 0)
                    expected = packed(impi_style_fill(
                        impi_style_of_face(&camera, soup.vertices + 3 * hit,
                                           impi_picture_face_colour(&soup.def, (size_t)hit, 0))));
                ++compared;
                hits += hit >= 0;
                wrong += canvas.colour[y * MAX_CANVAS + x] != expected;
            }
        }
        impi_arena_destroy(&arena);
    }
    printf("%zu pixels compared, %zu of them on faces, %zu wrong\n", compared, hits, wrong);
    CHECK(hits * 4 > compared);
    CHECK_INT((int64_t)wrong, 0);
}

TEST(the_same_input_gives_the_same_bytes)
{
    Soup soup;
    make_soup(&soup);
    soup.def.view = (imp_Vec3){0, 0, 0}; // chosen
    char *first = draw(&soup.def), *second = draw(&soup.def);
    CHECK_TEXT(first, second);
    free(first);
    free(second);
}

TEST(extreme_coordinates_are_drawn)
{
    static const imp_Vec3 huge[] = {{-1.7e308, -1.7e308, 0}, {1.7e308, -1.7e308, 0}, {0, 1.7e308, 1.7e308}};
    static const imp_Vec3 tiny[] = {{0, 0, 0}, {5e-324, 0, 0}, {0, 5e-324, 0}};
    static const imp_Vec3 point[] = {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}};
    static const imp_Vec3 far[] = {{1e15, 0, 0}, {1e15 + 1, 0, 0}, {1e15, 1, 0}};
    const imp_Vec3 *shapes[] = {huge, tiny, point, far};
    const size_t paths[] = {1, 0, 0, 1};
    for (int i = 0; i < 4; ++i) {
        impi_PictureMesh mesh = {.vertices = shapes[i], .indices = one_triangle, .triangle_count = 1};
        char *svg = draw(&(impi_PictureDef){.meshes = &mesh, .mesh_count = 1, .size = 64});
        CHECK_INT((int64_t)count_of(svg, "<path"), (int64_t)paths[i]);
        CHECK(!strstr(svg, "nan") && !strstr(svg, "inf"));
        free(svg);
    }
}

TEST(size_changes_no_picture)
{
    static const int exponents[] = {-990, -300, 300, 1000};
    imp_Vec3 shape[] = {{-1, -0.5, 0}, {1, -1, 0.25}, {0, 1, 1}};
    impi_PictureMesh mesh = {.vertices = shape, .indices = one_triangle, .triangle_count = 1};
    impi_PictureDef def = {.meshes = &mesh, .mesh_count = 1, .size = 64};
    char *at_one = draw(&def);
    for (int i = 0; i < 4; ++i) {
        imp_Vec3 scaled[3];
        for (int k = 0; k < 3; ++k)
            scaled[k] = (imp_Vec3){ldexp(shape[k].x, exponents[i]), ldexp(shape[k].y, exponents[i]),
                                   ldexp(shape[k].z, exponents[i])};
        mesh.vertices = scaled;
        char *svg = draw(&def);
        CHECK_TEXT(svg, at_one);
        free(svg);
    }
    free(at_one);
}

TEST(bad_input_is_refused)
{
    imp_Context *context = create_context();
    impi_Text text;
    impi_text_init(&text, &context->allocator);
    impi_PictureMesh mesh = {.vertices = wide_plate, .indices = two_triangles, .triangle_count = 2};
    impi_PictureDef nothing = {0};
    impi_PictureDef not_finite = {.meshes = &mesh, .mesh_count = 1, .view = {NAN, 0, 0}};
    impi_PictureDef large = {.meshes = &mesh, .mesh_count = 1, .size = IMPI_MAX_PICTURE_SIZE + 1};
    CHECK_INT(impi_picture_draw(context, &nothing, &text), IMP_STATUS_BAD_SHAPE);
    CHECK_INT(impi_picture_draw(context, &not_finite, &text), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(impi_picture_draw(context, &large, &text), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT((int64_t)text.bytes.count, 0);
    imp_Vec3 view;
    CHECK(!impi_picture_view_named("sideways", (imp_Vec3){0, 0, 0}, &view));
    CHECK(impi_picture_view_named("front", (imp_Vec3){0, 0, 1}, &view));
    CHECK_DOUBLE(view.y, -1);
    impi_text_free(&text);
    imp_context_destroy(context);
}

TEST(out_of_memory_is_a_status)
{
    Soup soup;
    FailingAllocator memory;
    uint64_t n = 0;
    make_soup(&soup);
    soup.def.view = (imp_Vec3){0, 0, 0};
    do {
        imp_Context *context = NULL;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
            impi_Text text;
            impi_text_init(&text, &context->allocator);
            imp_Status status = impi_picture_draw(context, &soup.def, &text);
            bool failed = failing_allocator_has_failed(&memory);
            CHECK_INT(status, failed ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
            CHECK((text.bytes.count == 0) == failed);
            impi_text_free(&text);
            imp_context_destroy(context);
        }
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 10);
}
