#include "kit/picture_svg.h"

#include "kit/picture_style.h"
#include "kit/safe_text.h"

// In pixels of the picture. Without edges of their own, faces are drawn a little larger than they are, since
// programs that smooth outlines would let the background through between neighbours.
#define SEAM_WIDTH 0.7
#define EDGE_WIDTH 0.8

#define GHOST_OPACITY "0.28"

// Lines are dark, with a light seam, so that they are seen on any colour.
#define LINE_COLOUR      "#1d1d1f"
#define LINE_SEAM_COLOUR "#fff"
#define LINE_WIDTH       1.6
#define LINE_SEAM_WIDTH  3.6
#define DOT_WIDTH        6.4
#define DOT_SEAM_WIDTH   8.8

static void put_colour(impi_Text *svg, const char *attribute, impi_Rgb c)
{
    impi_text_printf(svg, " %s=\"#%02x%02x%02x\"", attribute, c.red, c.green, c.blue);
}

static void put_next_number(impi_Text *svg, int32_t number)
{
    if (number >= 0)
        impi_text_append(svg, " ", 1);
    impi_text_put_integer(svg, number);
}

static void put_move(impi_Text *svg, int32_t x, int32_t y)
{
    impi_text_append(svg, "M", 1);
    impi_text_put_integer(svg, x);
    put_next_number(svg, y);
}

static void put_polygon(impi_Text *svg, const impi_Polygon *polygon)
{
    put_move(svg, polygon->x[0], polygon->y[0]);
    for (int i = 1; i < polygon->corner_count; ++i) {
        int32_t dx = polygon->x[i] - polygon->x[i - 1];
        if (i == 1) {
            impi_text_append(svg, "l", 1);
            impi_text_put_integer(svg, dx);
        } else {
            put_next_number(svg, dx);
        }
        put_next_number(svg, polygon->y[i] - polygon->y[i - 1]);
    }
    impi_text_append(svg, "z", 1);
}

// What a cut made is not an edge of the mesh.
static void put_uncut_edges(impi_Text *svg, const impi_Polygon *polygon)
{
    for (int i = 0; i < polygon->corner_count; ++i) {
        int next = (i + 1) % polygon->corner_count;
        if (polygon->cut_edges >> i & 1)
            continue;
        put_move(svg, polygon->x[i], polygon->y[i]);
        impi_text_append(svg, "L", 1);
        impi_text_put_integer(svg, polygon->x[next]);
        put_next_number(svg, polygon->y[next]);
    }
}

static void write_run(const impi_Painting *painting, uint32_t begin, uint32_t end, impi_Text *svg)
{
    uint32_t style = painting->styles[painting->order[begin]];
    impi_Rgb fill = impi_style_fill(style), edge = impi_style_edge(style, painting->edge_strength);
    for (int cut = 0; cut < 2; ++cut) {
        bool any = false;
        for (uint32_t i = begin; i < end; ++i) {
            const impi_Polygon *polygon = &painting->polygons[painting->order[i]];
            if ((polygon->cut_edges != 0) != cut)
                continue;
            if (!any) {
                impi_text_put(svg, "<path");
                put_colour(svg, "fill", fill);
                put_colour(svg, "stroke", cut ? fill : edge);
                impi_text_put(svg, " d=\"");
            }
            any = true;
            put_polygon(svg, polygon);
        }
        if (any)
            impi_text_put(svg, "\"/>\n");
        if (!any || !cut || painting->edge_strength == 0)
            continue;
        impi_text_put(svg, "<path fill=\"none\"");
        put_colour(svg, "stroke", edge);
        impi_text_put(svg, " d=\"");
        for (uint32_t i = begin; i < end; ++i)
            if (painting->polygons[painting->order[i]].cut_edges)
                put_uncut_edges(svg, &painting->polygons[painting->order[i]]);
        impi_text_put(svg, "\"/>\n");
    }
}

static void write_faces(const impi_Painting *painting, impi_Text *svg)
{
    double width = painting->edge_strength > 0 ? EDGE_WIDTH : SEAM_WIDTH;
    impi_text_printf(svg, "<g stroke-linejoin=\"round\" stroke-width=\"%d\">\n",
                     (int)(width * IMPI_SUBPIXELS * painting->raster_pixels_per_pixel));
    for (uint32_t begin = 0, end; begin < painting->order_count; begin = end) {
        end = begin + 1;
        while (end < painting->order_count && !painting->breaks[end])
            ++end;
        write_run(painting, begin, end, svg);
    }
    impi_text_put(svg, "</g>\n");
}

static void write_repaired_rows(const impi_Painting *painting, uint32_t style, impi_Text *svg)
{
    const impi_Raster *raster = &painting->raster;
    impi_text_put(svg, "<path");
    put_colour(svg, "fill", impi_style_fill(style));
    impi_text_put(svg, " d=\"");
    for (int32_t y = 0; y < raster->height; ++y) {
        size_t row = (size_t)y * (size_t)raster->width;
        for (int32_t x = 0, end; x < raster->width; x = end) {
            for (end = x; end < raster->width && painting->repairs[row + (size_t)end] == style;)
                ++end;
            if (end == x) {
                ++end;
                continue;
            }
            put_move(svg, x * IMPI_SUBPIXELS, y * IMPI_SUBPIXELS);
            impi_text_printf(svg, "h%dv%dh-%dz", (end - x) * IMPI_SUBPIXELS, IMPI_SUBPIXELS,
                             (end - x) * IMPI_SUBPIXELS);
        }
    }
    impi_text_put(svg, "\"/>\n");
}

static void write_repairs(const impi_Painting *painting, impi_Text *svg)
{
    bool used[IMPI_STYLE_COUNT] = {false};
    size_t pixel_count = (size_t)painting->raster.width * (size_t)painting->raster.height;
    for (size_t i = 0; i < pixel_count; ++i)
        if (painting->repairs[i] != IMPI_NO_STYLE)
            used[painting->repairs[i]] = true;
    for (uint32_t style = 0; style < IMPI_STYLE_COUNT; ++style)
        if (used[style])
            write_repaired_rows(painting, style, svg);
}

static void write_ghosts(const impi_Painting *painting, impi_Text *svg)
{
    for (int colour = IMPI_COLOUR_TOUCH; colour < IMPI_COLOUR_COUNT; ++colour) {
        bool any = false;
        for (uint32_t i = 0; i < painting->ghost_count; ++i) {
            if (painting->ghost_styles[i] / IMPI_BRIGHTNESS_LEVELS != (uint32_t)colour)
                continue;
            if (!any) {
                impi_text_put(svg, "<path fill-opacity=\"" GHOST_OPACITY "\"");
                put_colour(svg, "fill", impi_colour_plain((impi_Colour)colour));
                impi_text_put(svg, " d=\"");
            }
            any = true;
            put_polygon(svg, &painting->ghosts[i]);
        }
        if (any)
            impi_text_put(svg, "\"/>\n");
    }
}

// Of one path, as a line without length is: round ends make it a dot.
static void put_dot(impi_Text *svg, const impi_Camera *camera, imp_Vec3 point)
{
    int32_t x, y;
    impi_camera_project(camera, point, &x, &y);
    put_move(svg, x, y);
    impi_text_append(svg, "h0", 2);
}

static void put_line(impi_Text *svg, const impi_Camera *camera, const impi_PictureLine *line)
{
    for (size_t i = 0; i < line->point_count && line->point_count > 1; ++i) {
        int32_t x, y;
        impi_camera_project(camera, line->points[i], &x, &y);
        if (i == 0) {
            put_move(svg, x, y);
            continue;
        }
        impi_text_append(svg, "L", 1);
        impi_text_put_integer(svg, x);
        put_next_number(svg, y);
    }
    if (line->is_closed && line->point_count > 1)
        impi_text_append(svg, "z", 1);
}

// All lines, or all dots, as one path.
static void write_strokes(const impi_Painting *painting, bool dots, const char *colour, double width,
                          impi_Text *svg)
{
    bool any = false;
    for (size_t i = 0; i < painting->line_count; ++i)
        any = any || painting->lines[i].has_dots || !dots;
    if (!any)
        return;
    impi_text_printf(svg,
                     "<path fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke=\"%s\" "
                     "stroke-width=\"%d\" d=\"",
                     colour, (int)(width * IMPI_SUBPIXELS * painting->raster_pixels_per_pixel));
    for (size_t i = 0; i < painting->line_count; ++i) {
        const impi_PictureLine *line = &painting->lines[i];
        if (!dots) {
            put_line(svg, &painting->camera, line);
        } else if (line->has_dots && line->point_count > 0) {
            put_dot(svg, &painting->camera, line->points[0]);
            put_dot(svg, &painting->camera, line->points[line->point_count - 1]);
        }
    }
    impi_text_put(svg, "\"/>\n");
}

static void write_lines(const impi_Painting *painting, impi_Text *svg)
{
    write_strokes(painting, false, LINE_SEAM_COLOUR, LINE_SEAM_WIDTH, svg);
    write_strokes(painting, true, LINE_SEAM_COLOUR, DOT_SEAM_WIDTH, svg);
    write_strokes(painting, false, LINE_COLOUR, LINE_WIDTH, svg);
    write_strokes(painting, true, LINE_COLOUR, DOT_WIDTH, svg);
}

void impi_painting_write(const impi_Painting *painting, const char *title, impi_Text *svg)
{
    int32_t width = painting->raster.width, height = painting->raster.height;
    uint32_t per_pixel = painting->raster_pixels_per_pixel;
    impi_text_printf(svg,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
                     "viewBox=\"0 0 %d %d\">\n",
                     (double)width / per_pixel, (double)height / per_pixel, width * IMPI_SUBPIXELS,
                     height * IMPI_SUBPIXELS);
    if (title) {
        impi_text_put(svg, "<title>");
        impi_text_put_xml(svg, title);
        impi_text_put(svg, "</title>\n");
    }
    impi_text_put(svg, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    write_faces(painting, svg);
    write_repairs(painting, svg);
    write_ghosts(painting, svg);
    write_lines(painting, svg);
    impi_text_put(svg, "</svg>\n");
}
