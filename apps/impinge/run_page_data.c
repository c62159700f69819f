#include "run_page_data.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static imp_Vec3 subtract(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static void put_lengths(impi_PageStream *stream, imp_Vec3 lengths, double scale)
{
    impi_page_put_float(stream, lengths.x / scale);
    impi_page_put_float(stream, lengths.y / scale);
    impi_page_put_float(stream, lengths.z / scale);
}

static void put_mesh(impi_PageStream *stream, const imp_Mesh *mesh, double scale)
{
    imp_Box bounds = imp_mesh_get_bounds(mesh);
    imp_Vec3 centre = page_box_centre(&bounds);
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        put_lengths(stream, subtract(imp_mesh_get_vertices(mesh)[i], centre), scale);
    for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(mesh); ++i)
        impi_page_put_u32(stream, imp_mesh_get_indices(mesh)[i]);
}

static CommandResult put_pose(impi_PageStream *stream, const RunScene *scene, const PageLayout *layout,
                              uint32_t frame, size_t body)
{
    imp_Pose pose;
    imp_Transform transform = {0};
    if (run_scene_place(scene, frame, body, &pose, layout->vertices) != COMMAND_DONE)
        return COMMAND_FAILED;
    imp_Status status = imp_pose_transform(&pose, &transform);
    assert(status == IMP_STATUS_OK); // the run has posed the body by it
    (void)status;
    imp_Vec3 place = imp_transform_apply(&transform, page_box_centre(&layout->bodies[body].box));
    put_lengths(stream, subtract(place, layout->centre), layout->scale);
    imp_Quat q = pose.rotation;
    bool none = q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0;
    impi_page_put_float(stream, q.x);
    impi_page_put_float(stream, q.y);
    impi_page_put_float(stream, q.z);
    impi_page_put_float(stream, none ? 1 : q.w);
    return COMMAND_DONE;
}

static uint16_t part_of_side(double from_centre, double half)
{
    double part = half > 0 ? 0.5 + 0.5 * (from_centre / half) : 0.5;
    return (uint16_t)lround(65535 * fmax(0, fmin(part, 1)));
}

static CommandResult put_deformation(impi_PageStream *stream, const RunScene *scene, const PageLayout *layout,
                                     size_t body)
{
    const imp_Box *box = &layout->bodies[body].box;
    imp_Vec3 centre = page_box_centre(box), half = page_box_half(box);
    put_lengths(stream, half, layout->scale);
    for (uint32_t frame = 0; frame < scene->motion.frame_count; ++frame) {
        imp_Pose pose;
        if (run_scene_place(scene, frame, body, &pose, layout->vertices) != COMMAND_DONE)
            return COMMAND_FAILED;
        for (size_t i = 0; i < imp_mesh_get_vertex_count(impi_motion_body(&scene->motion, body).mesh); ++i) {
            imp_Vec3 from_centre = subtract(layout->vertices[i], centre);
            impi_page_put_u16(stream, part_of_side(from_centre.x, half.x));
            impi_page_put_u16(stream, part_of_side(from_centre.y, half.y));
            impi_page_put_u16(stream, part_of_side(from_centre.z, half.z));
        }
    }
    impi_page_align_numbers(stream);
    return COMMAND_DONE;
}

static int compare_faces(const void *a, const void *b)
{
    uint32_t face_a = *(const uint32_t *)a, face_b = *(const uint32_t *)b;
    return (face_a > face_b) - (face_a < face_b);
}

// Each face once, though it touches several.
static void put_faces(impi_PageStream *stream, uint32_t *faces, size_t count)
{
    size_t distinct = 0;
    qsort(faces, count, sizeof *faces, compare_faces);
    for (size_t i = 0; i < count; ++i)
        if (distinct == 0 || faces[i] != faces[distinct - 1])
            faces[distinct++] = faces[i];
    impi_page_put_varint(stream, distinct);
    for (size_t i = 0; i < distinct; ++i)
        impi_page_put_varint(stream, i ? faces[i] - faces[i - 1] : faces[i]);
}

static void put_pair(impi_PageStream *stream, const impi_PlayedFrame *frame, const impi_PlayedPair *pair,
                     uint32_t *faces)
{
    const imp_FacePair *face_pairs = frame->face_pairs + pair->first_face_pair;
    impi_page_put_varint(stream, pair->body_a);
    impi_page_put_varint(stream, pair->body_b);
    impi_page_put_varint(stream, pair->relations);
    for (size_t i = 0; i < pair->face_pair_count; ++i)
        faces[i] = face_pairs[i].face_a;
    put_faces(stream, faces, pair->face_pair_count);
    for (size_t i = 0; i < pair->face_pair_count; ++i)
        faces[i] = face_pairs[i].face_b;
    put_faces(stream, faces, pair->face_pair_count);
}

static CommandResult put_contacts(impi_PageStream *stream, const impi_History *history)
{
    size_t most_faces = 1;
    for (size_t i = 0; i < history->pairs.count; ++i)
        if (history->pairs.data[i].face_pair_count > most_faces)
            most_faces = history->pairs.data[i].face_pair_count;
    uint32_t *faces = calloc(most_faces, sizeof *faces);
    if (!faces)
        return command_fail("out of memory");
    for (size_t f = 0; f < history->frames.count; ++f) {
        impi_PlayedFrame frame = impi_history_frame(history, f);
        impi_page_put_varint(stream, frame.pair_count);
        for (size_t i = 0; i < frame.pair_count; ++i)
            put_pair(stream, &frame, &frame.pairs[i], faces);
    }
    free(faces);
    return COMMAND_DONE;
}

CommandResult page_put_data(impi_PageStream *stream, const RunScene *scene, const impi_History *history,
                            const PageLayout *layout)
{
    for (size_t i = 0; i < layout->mesh_count; ++i)
        put_mesh(stream, layout->meshes[i], layout->scale);
    for (uint32_t frame = 0; frame < scene->motion.frame_count; ++frame)
        for (size_t body = 0; body < scene->motion.body_count; ++body)
            if (put_pose(stream, scene, layout, frame, body) != COMMAND_DONE)
                return COMMAND_FAILED;
    for (size_t body = 0; body < scene->motion.body_count; ++body)
        if (impi_motion_body(&scene->motion, body).deforms &&
            put_deformation(stream, scene, layout, body) != COMMAND_DONE)
            return COMMAND_FAILED;
    return put_contacts(stream, history);
}
