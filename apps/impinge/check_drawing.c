#include "check_drawing.h"

#include "distance_drawing.h"

static void add_curves_room(const imp_Report *report, impi_DrawingRoom *room)
{
    room->line_count += report->polyline_count + report->contact_count;
    room->line_point_count += report->curve_point_count + report->contact_count;
}

// The curves of a region or, where it is a point, that.
static void draw_curves(const imp_Report *report, impi_Drawing *drawing)
{
    for (size_t i = 0; i < report->polyline_count; ++i) {
        const imp_Polyline *polyline = &report->polylines[i];
        impi_PictureLine line = {.points = report->curve_points + polyline->first_point,
                                 .point_count = polyline->point_count,
                                 .is_closed = polyline->is_closed};
        impi_drawing_add_line(drawing, &line);
    }
    for (size_t i = 0; i < report->contact_count; ++i) {
        impi_PictureLine point = {.points = report->contacts[i].points, .point_count = 1, .has_dots = true};
        if (report->contacts[i].polyline_count == 0)
            impi_drawing_add_line(drawing, &point);
    }
}

static bool fill_drawing(const CheckScene *scene, const CheckDistances *distances,
                         const CheckContacts *contacts, impi_Drawing *drawing)
{
    impi_DrawingRoom room = {0};
    for (size_t i = 0; i < scene->body_count; ++i)
        impi_drawing_room_add(&room, scene->bodies[i].mesh);
    if (distances)
        distance_drawing_room_add(&room, distances->count);
    if (contacts)
        add_curves_room(contacts->report, &room);
    if (!impi_drawing_create(drawing, &room))
        return false;
    drawing->picture.title = distances ? "closest points" : "touching faces";
    for (size_t i = 0; i < scene->body_count; ++i)
        impi_drawing_add(drawing, scene->bodies[i].mesh, NULL, &scene->bodies[i].pose);
    for (size_t i = 0; i < scene->found.face_pair_count; ++i) {
        const impi_FaceLine *pair = &scene->face_pairs[i];
        impi_drawing_mark(drawing, pair->body_a, pair->face_a);
        impi_drawing_mark(drawing, pair->body_b, pair->face_b);
    }
    for (size_t i = 0; distances && i < distances->count; ++i)
        distance_draw(drawing, distances->lines[i].body_a, distances->lines[i].body_b,
                      &distances->lines[i].distance);
    if (contacts)
        draw_curves(contacts->report, drawing);
    return true;
}

CommandResult check_draw(const CheckScene *scene, const CheckDistances *distances,
                         const CheckContacts *contacts, const char *mesh_path, const char *picture_path)
{
    CommandResult result = COMMAND_DONE;
    impi_Drawing drawing;
    if (!mesh_path && !picture_path)
        return COMMAND_DONE;
    if (!fill_drawing(scene, distances, contacts, &drawing)) {
        result = command_fail("out of memory");
        goto cleanup;
    }
    imp_Status status = IMP_STATUS_OK;
    if (mesh_path)
        status = impi_drawing_save_mesh(scene->context, &drawing, mesh_path);
    if (status == IMP_STATUS_OK && picture_path)
        status = impi_picture_save(scene->context, &drawing.picture, picture_path);
    if (status != IMP_STATUS_OK)
        result = command_fail_in(scene->context);
cleanup:
    impi_drawing_free(&drawing);
    return result;
}
