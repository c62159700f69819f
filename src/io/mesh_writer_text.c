// OBJ and OFF.

#include "io/decimal.h"
#include "io/mesh_writer.h"

#include <inttypes.h>
#include <stdio.h>

#define MAX_LINE 160 // three numbers and a colour, with room to spare

// A line that is put together before it is written.
typedef struct Line {
    char text[MAX_LINE];
    size_t length;
} Line;

static void put_char(Line *line, char c)
{
    line->text[line->length++] = c;
}

static void put_integer(Line *line, uint64_t value)
{
    line->length += impi_decimal_format_integer(value, line->text + line->length);
}

static void put_double(Line *line, double value)
{
    line->length += impi_decimal_format(value, line->text + line->length);
}

static imp_Status end_line(impi_AtomicFile *file, Line *line)
{
    put_char(line, '\n');
    imp_Status status = impi_atomic_file_write(file, line->text, line->length);
    line->length = 0;
    return status;
}

// `prefix` stands before each vertex.
static imp_Status write_vertices(impi_AtomicFile *file, const imp_Mesh *mesh, const char *prefix)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    size_t count = imp_mesh_get_vertex_count(mesh);
    Line line = {.length = 0};
    for (size_t i = 0; i < count; ++i) {
        for (const char *c = prefix; *c; ++c)
            put_char(&line, *c);
        put_double(&line, vertices[i].x);
        put_char(&line, ' ');
        put_double(&line, vertices[i].y);
        put_char(&line, ' ');
        put_double(&line, vertices[i].z);
        imp_Status status = end_line(file, &line);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

// `first` is the index of the first vertex: formats count from 0 or from 1.
static imp_Status write_faces(impi_AtomicFile *file, const imp_Mesh *mesh, const char *prefix, uint64_t first,
                              const impi_Rgb *colors)
{
    const uint32_t *corner = imp_mesh_get_indices(mesh);
    size_t count = imp_mesh_get_triangle_count(mesh);
    Line line = {.length = 0};
    for (size_t i = 0; i < count; ++i, corner += 3) {
        for (const char *c = prefix; *c; ++c)
            put_char(&line, *c);
        for (int k = 0; k < 3; ++k) {
            put_char(&line, ' ');
            put_integer(&line, first + corner[k]);
        }
        if (colors) {
            const uint8_t channels[] = {colors[i].red, colors[i].green, colors[i].blue};
            for (int k = 0; k < 3; ++k) {
                put_char(&line, ' ');
                put_integer(&line, channels[k]);
            }
        }
        imp_Status status = end_line(file, &line);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

imp_Status impi_write_obj(impi_AtomicFile *file, const imp_Mesh *mesh)
{
    imp_Status status = write_vertices(file, mesh, "v ");
    return status == IMP_STATUS_OK ? write_faces(file, mesh, "f", 1, NULL) : status;
}

imp_Status impi_write_off(impi_AtomicFile *file, const imp_Mesh *mesh, const impi_Rgb *colors)
{
    Line line = {.length = 0};
    line.length = (size_t)snprintf(line.text, MAX_LINE, "OFF\n%zu %zu 0", imp_mesh_get_vertex_count(mesh),
                                   imp_mesh_get_triangle_count(mesh));
    imp_Status status = end_line(file, &line);
    if (status == IMP_STATUS_OK)
        status = write_vertices(file, mesh, "");
    return status == IMP_STATUS_OK ? write_faces(file, mesh, "3", 0, colors) : status;
}
