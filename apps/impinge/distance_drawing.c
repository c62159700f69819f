#include "distance_drawing.h"

#include "distance_lines.h"

#include <impinge/mesh.h>

void distance_drawing_room_add(impi_DrawingRoom *room, size_t count)
{
    room->line_count += count;
    room->line_point_count += 2 * count;
}

static void mark_face(impi_Drawing *drawing, uint32_t body, const imp_SurfacePoint *point)
{
    if (point->face != IMP_NO_FACE)
        impi_drawing_mark(drawing, body, point->face);
}

void distance_draw(impi_Drawing *drawing, uint32_t body_a, uint32_t body_b, const imp_Distance *distance)
{
    const imp_Vec3 points[] = {distance->a.position, distance->b.position};
    impi_PictureLine line = {.points = points, .point_count = distance->touch ? 1 : 2, .has_dots = true};
    mark_face(drawing, body_a, &distance->a);
    mark_face(drawing, body_b, &distance->b);
    if (distance_has_point(distance, &distance->a) && distance_has_point(distance, &distance->b))
        impi_drawing_add_line(drawing, &line);
}
