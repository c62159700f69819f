/// Helpers of the tests of mesh files: loading from text, expecting errors, a folder for what is written.
#ifndef IMPINGE_TESTS_MESH_FILES_H
#define IMPINGE_TESTS_MESH_FILES_H

#include "harness.h"

#include <impinge/impinge.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline imp_Context *new_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

/// Read bytes that must be fine. Null when they are not.
static inline imp_Mesh *load_bytes(imp_Context *context, imp_FileFormat format, const void *bytes,
                                   size_t size)
{
    imp_Mesh *mesh = NULL;
    imp_Status status = imp_mesh_load_memory(context, format, bytes, size, "test", &mesh);
    if (!CHECK_INT(status, IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    return mesh;
}

static inline imp_Mesh *load_text(imp_Context *context, imp_FileFormat format, const char *text)
{
    return load_bytes(context, format, text, strlen(text));
}

/// A sheet of side x side vertices whose coordinates have long decimals.
static inline imp_Mesh *new_grid(imp_Context *context, uint32_t side)
{
    size_t vertex_count = (size_t)side * side, count = 0;
    double(*vertices)[3] = malloc(vertex_count * sizeof *vertices);
    uint32_t(*indices)[3] = malloc(2 * vertex_count * sizeof *indices);
    imp_Mesh *mesh = NULL;
    CHECK(vertices && indices);
    for (uint32_t i = 0; vertices && indices && i < vertex_count; ++i) {
        vertices[i][0] = i % side / 7.0;
        vertices[i][1] = (double)(i / side) / 7.0;
        vertices[i][2] = i / 3.0;
        if (i % side == side - 1 || i / side == side - 1)
            continue;
        memcpy(indices[count++], (uint32_t[]){i, i + 1, i + side}, sizeof *indices);
        memcpy(indices[count++], (uint32_t[]){i + 1, i + side + 1, i + side}, sizeof *indices);
    }
    imp_MeshDef def = {.vertices = (const double *)vertices,
                       .vertex_count = vertex_count,
                       .indices = (const uint32_t *)indices,
                       .triangle_count = count};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    free(vertices);
    free(indices);
    return mesh;
}

/// Does the file hold these vertices (three numbers each) and triangles, in this order?
static inline bool mesh_is(const imp_Mesh *mesh, size_t vertex_count, const double *vertices,
                           size_t triangle_count, const uint32_t *indices)
{
    return mesh && imp_mesh_get_vertex_count(mesh) == vertex_count &&
           imp_mesh_get_triangle_count(mesh) == triangle_count &&
           memcmp(imp_mesh_get_vertices(mesh), vertices, vertex_count * sizeof(imp_Vec3)) == 0 &&
           memcmp(imp_mesh_get_indices(mesh), indices, 3 * triangle_count * sizeof *indices) == 0;
}

static inline bool same_mesh(const imp_Mesh *a, const imp_Mesh *b)
{
    return mesh_is(a, imp_mesh_get_vertex_count(b), &imp_mesh_get_vertices(b)->x,
                   imp_mesh_get_triangle_count(b), imp_mesh_get_indices(b));
}

/// Read bytes that must be refused with a message that is exactly `message`.
static inline void expect_refusal(imp_FileFormat format, const void *bytes, size_t size, imp_Status status,
                                  const char *message)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_load_memory(context, format, bytes, size, "test", &mesh), status);
    CHECK(mesh == NULL);
    CHECK_TEXT(imp_context_get_error(context)->message, message);
    CHECK_INT(imp_context_get_error(context)->status, status);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static inline void expect_bad_text(imp_FileFormat format, const char *text, const char *message)
{
    expect_refusal(format, text, strlen(text), IMP_STATUS_BAD_FILE, message);
}

#define MAX_TEST_PATH 512

/// A fresh folder for files.
static inline void make_folder(char folder[MAX_TEST_PATH])
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, MAX_TEST_PATH, "%s/impinge-test-XXXXXX", parent ? parent : "/tmp");
    CHECK(mkdtemp(folder) != NULL);
}

/// folder/name, in a buffer that the next call reuses.
static inline const char *path_in(const char *folder, const char *name)
{
    static char path[2 * MAX_TEST_PATH + 256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline int count_files(const char *folder)
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (directory)
        closedir(directory);
    return count;
}

static inline void remove_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(path_in(folder, entry->d_name));
    if (directory)
        closedir(directory);
    rmdir(folder);
}

static inline void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size);
    CHECK(file && fclose(file) == 0);
}

/// The whole content, to be freed; null when there is no such file.
static inline char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    CHECK(bytes && fread(bytes, 1, *size, file) == *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

#endif
