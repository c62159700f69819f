// STL and PLY.

#include "io/byte_order.h"
#include "io/mesh_writer.h"

#include <math.h>
#include <stdio.h>

#define SWAP          IMPI_HOST_IS_BIG_ENDIAN // both formats are written little endian
#define STL_PREAMBLE  84
#define STL_RECORD    50
#define STL_NORMAL    12 // bytes
#define MAX_PLY_INTRO 512

// Vertices of a triangle as the file will hold them. False when one is beyond single precision.
static bool round_triangle(const imp_Vec3 *vertices, const uint32_t *corners, float points[3][3])
{
    bool fits = true;
    for (int i = 0; i < 3; ++i) {
        points[i][0] = (float)vertices[corners[i]].x;
        points[i][1] = (float)vertices[corners[i]].y;
        points[i][2] = (float)vertices[corners[i]].z;
        fits = fits && isfinite(points[i][0]) && isfinite(points[i][1]) && isfinite(points[i][2]);
    }
    return fits;
}

// The unit normal, zero for a triangle without area. Products of floats overflow no double.
static void compute_normal(float points[3][3], float normal[3])
{
    double a[3], b[3], cross[3], length = 0.0;
    for (int i = 0; i < 3; ++i) {
        a[i] = (double)points[1][i] - (double)points[0][i];
        b[i] = (double)points[2][i] - (double)points[0][i];
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cross[i] = a[j] * b[k] - a[k] * b[j];
        length += cross[i] * cross[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; ++i)
        normal[i] = length > 0.0 ? (float)(cross[i] / length) : 0.0f;
}

static void store_floats(unsigned char *bytes, const float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        impi_store_float(bytes + 4 * i, values[i], SWAP);
}

imp_Status impi_write_stl(impi_AtomicFile *file, const imp_Mesh *mesh)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *corners = imp_mesh_get_indices(mesh);
    size_t count = imp_mesh_get_triangle_count(mesh);
    unsigned char preamble[STL_PREAMBLE] = "binary STL"; // anything but "solid"
    impi_store_u32(preamble + STL_PREAMBLE - 4, (uint32_t)count, SWAP);
    imp_Status status = impi_atomic_file_write(file, preamble, sizeof preamble);
    for (size_t face = 0; face < count && status == IMP_STATUS_OK; ++face) {
        unsigned char record[STL_RECORD] = {0};
        float points[3][3], normal[3];
        if (!round_triangle(vertices, corners + 3 * face, points)) {
            impi_Place place = IMPI_NO_PLACE;
            place.file = file->path;
            place.index = face;
            return impi_fail_at(file->context, IMP_STATUS_BAD_NUMBER, place,
                                "triangle %zu is beyond single precision, which is all that STL holds", face);
        }
        compute_normal(points, normal);
        store_floats(record, normal, 3);
        store_floats(record + STL_NORMAL, &points[0][0], 9);
        status = impi_atomic_file_write(file, record, sizeof record);
    }
    return status;
}

static imp_Status write_ply_header(impi_AtomicFile *file, const imp_Mesh *mesh, bool colored)
{
    char header[MAX_PLY_INTRO];
    int length = snprintf(header, sizeof header,
                          "ply\nformat binary_little_endian 1.0\nelement vertex %zu\nproperty double x\n"
                          "property double y\nproperty double z\nelement face %zu\n"
                          "property list uchar uint vertex_indices\n%send_header\n",
                          imp_mesh_get_vertex_count(mesh), imp_mesh_get_triangle_count(mesh),
                          colored ? "property uchar red\nproperty uchar green\nproperty uchar blue\n" : "");
    return impi_atomic_file_write(file, header, (size_t)length);
}

static imp_Status write_ply_faces(impi_AtomicFile *file, const imp_Mesh *mesh, const impi_Rgb *colors)
{
    const uint32_t *corners = imp_mesh_get_indices(mesh);
    size_t count = imp_mesh_get_triangle_count(mesh);
    imp_Status status = IMP_STATUS_OK;
    for (size_t face = 0; face < count && status == IMP_STATUS_OK; ++face) {
        unsigned char record[16] = {3};
        size_t size = 1;
        for (int i = 0; i < 3; ++i, size += 4)
            impi_store_u32(record + size, corners[3 * face + (size_t)i], SWAP);
        if (colors) {
            record[size++] = colors[face].red;
            record[size++] = colors[face].green;
            record[size++] = colors[face].blue;
        }
        status = impi_atomic_file_write(file, record, size);
    }
    return status;
}

imp_Status impi_write_ply(impi_AtomicFile *file, const imp_Mesh *mesh, const impi_Rgb *colors)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Status status = write_ply_header(file, mesh, colors != NULL);
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i) {
        unsigned char record[24];
        impi_store_double(record, vertices[i].x, SWAP);
        impi_store_double(record + 8, vertices[i].y, SWAP);
        impi_store_double(record + 16, vertices[i].z, SWAP);
        status = impi_atomic_file_write(file, record, sizeof record);
    }
    return status == IMP_STATUS_OK ? write_ply_faces(file, mesh, colors) : status;
}
