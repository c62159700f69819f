#include "octree_report.h"

#include "kit/safe_text.h"
#include "kit/text_table.h"

#include <inttypes.h>
#include <stdio.h>

#define SCHEMA_VERSION 1
#define LEVEL_WIDTH    5
#define COUNT_WIDTH    14

static imp_OctreeInfo info_of(const OctreeReport *report)
{
    imp_OctreeInfo info = {0};
    imp_Status status = imp_octree_get_info(report->file->octree, &info);
    (void)status; // it refuses null alone
    return info;
}

// Corners of voxels, as octree.h has them.
static imp_Vec3 corner(const imp_OctreeGrid *grid, const uint32_t at[3])
{
    return (imp_Vec3){grid->origin.x + (double)at[0] * grid->voxel,
                      grid->origin.y + (double)at[1] * grid->voxel,
                      grid->origin.z + (double)at[2] * grid->voxel};
}

static imp_Vec3 last_corner(const imp_OctreeGrid *grid)
{
    uint32_t n = 1u << grid->level;
    return corner(grid, (const uint32_t[3]){n, n, n});
}

// ---- for people

static void put_span(const char *what, imp_Vec3 min, imp_Vec3 max, impi_Text *output)
{
    impi_text_printf(output, "%-8s from %.9g %.9g %.9g to %.9g %.9g %.9g\n", what, min.x, min.y, min.z, max.x,
                     max.y, max.z);
}

static void put_levels(const imp_OctreeInfo *info, impi_Text *output)
{
    impi_text_put(output, "\n");
    impi_text_put_right(output, "level", LEVEL_WIDTH);
    impi_text_put_right(output, "gray", COUNT_WIDTH);
    impi_text_put_right(output, "black", COUNT_WIDTH);
    impi_text_put_right(output, "white", COUNT_WIDTH);
    impi_text_put(output, "\n");
    for (uint32_t level = 0; level <= info->grid.level; ++level) {
        impi_text_put_number(output, level, LEVEL_WIDTH);
        impi_text_put_number(output, info->gray_count[level], COUNT_WIDTH);
        impi_text_put_number(output, info->black_count[level], COUNT_WIDTH);
        impi_text_put_number(output, info->white_count[level], COUNT_WIDTH);
        impi_text_put(output, "\n");
    }
}

static void put_one(const OctreeReport *report, impi_Text *output)
{
    imp_OctreeInfo info = info_of(report);
    const uint32_t n = 1u << info.grid.level;
    impi_text_put_shown(output, report->origin ? report->origin : report->file->path);
    impi_text_printf(output, ": %u x %u x %u voxels of %.9g", n, n, n, info.grid.voxel);
    if (report->origin)
        impi_text_printf(output, ", %.3g s", report->seconds);
    impi_text_put(output, "\n");
    put_span("cube", info.grid.origin, last_corner(&info.grid), output);
    impi_text_printf(output, "black    %" PRIu64 " voxel%s, volume %.9g\n", info.black_voxel_count,
                     info.black_voxel_count == 1 ? "" : "s", info.volume);
    if (info.black_voxel_count > 0)
        put_span("bounds", corner(&info.grid, info.bounds.min), corner(&info.grid, info.bounds.max), output);
    if (info.has_faces)
        impi_text_printf(output, "faces    %zu in lists\n", info.face_count);
    if (report->file->is_map)
        impi_text_printf(output, "unknown  %" PRIu64 " voxels, taken as %s\n", report->file->unknown_count,
                         report->file->unknown_is_black ? "black" : "white");
    if (info.is_cut)
        impi_text_put(output, "cut      it was made of something that goes beyond the cube\n");
    if (report->moved)
        impi_text_printf(output,
                         "moved    %" PRIu64 " cube%s, %" PRIu64 " tests of cubes and cells, %" PRIu64
                         " of them in integers\n",
                         report->moved->source_cubes, report->moved->source_cubes == 1 ? "" : "s",
                         report->moved->cube_tests, report->moved->exact_tests);
    put_levels(&info, output);
}

void octree_report_put(const OctreeReport *reports, size_t count, impi_Text *output)
{
    for (size_t i = 0; i < count; ++i) {
        impi_text_put(output, i > 0 ? "\n" : "");
        put_one(&reports[i], output);
    }
}

// ---- for programs

static void put_count(impi_JsonWriter *json, const char *key, uint64_t count)
{
    impi_json_put_key(json, key);
    impi_json_put_integer(json, count);
}

static void put_number(impi_JsonWriter *json, const char *key, double number)
{
    impi_json_put_key(json, key);
    impi_json_put_double(json, number);
}

static void put_truth(impi_JsonWriter *json, const char *key, bool value)
{
    impi_json_put_key(json, key);
    impi_json_put_bool(json, value);
}

static void put_json_levels(impi_JsonWriter *json, const imp_OctreeInfo *info)
{
    impi_json_put_key(json, "levels");
    impi_json_begin_array(json);
    for (uint32_t level = 0; level <= info->grid.level; ++level) {
        impi_json_begin_inline_object(json);
        put_count(json, "level", level);
        put_count(json, "gray", info->gray_count[level]);
        put_count(json, "black", info->black_count[level]);
        put_count(json, "white", info->white_count[level]);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

// Null where nothing is black.
static void put_json_bounds(impi_JsonWriter *json, const imp_OctreeInfo *info)
{
    const bool is_empty = info->black_voxel_count == 0;
    const char *const keys[] = {"min", "max"}, *const voxel_keys[] = {"min_voxel", "max_voxel"};
    const uint32_t *const ends[] = {info->bounds.min, info->bounds.max};
    for (int i = 0; i < 2; ++i) {
        if (is_empty) {
            impi_json_put_key(json, keys[i]);
            impi_json_put_null(json);
        } else {
            impi_json_put_vector(json, keys[i], corner(&info->grid, ends[i]));
        }
        impi_json_put_key(json, voxel_keys[i]);
        if (is_empty) {
            impi_json_put_null(json);
            continue;
        }
        impi_json_begin_inline_array(json);
        for (int axis = 0; axis < 3; ++axis)
            impi_json_put_integer(json, ends[i][axis]);
        impi_json_end_array(json);
    }
}

static void put_json_one(impi_JsonWriter *json, const OctreeReport *report)
{
    imp_OctreeInfo info = info_of(report);
    impi_json_begin_object(json);
    impi_json_put_key(json, "file");
    if (report->file->path)
        impi_json_put_string(json, report->file->path);
    else
        impi_json_put_null(json);
    put_count(json, "level", info.grid.level);
    impi_json_put_vector(json, "origin", info.grid.origin);
    put_number(json, "voxel", info.grid.voxel);
    impi_json_put_vector(json, "end", last_corner(&info.grid));
    put_truth(json, "cut", info.is_cut);
    put_truth(json, "condensed", info.is_condensed);
    put_count(json, "black_voxel_count", info.black_voxel_count);
    put_number(json, "volume", info.volume);
    put_json_bounds(json, &info);
    if (info.has_faces)
        put_count(json, "listed_face_count", info.face_count);
    if (report->file->is_map)
        put_count(json, "unknown_voxel_count", report->file->unknown_count);
    if (report->origin)
        put_number(json, "seconds", report->seconds);
    if (report->moved) {
        put_count(json, "source_cubes", report->moved->source_cubes);
        put_count(json, "cube_tests", report->moved->cube_tests);
        put_count(json, "exact_tests", report->moved->exact_tests);
    }
    put_json_levels(json, &info);
    impi_json_end_object(json);
}

void octree_report_put_json(const OctreeReport *reports, size_t count, impi_Text *output)
{
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    impi_json_put_key(&json, "octrees");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < count; ++i)
        put_json_one(&json, &reports[i]);
    impi_json_end_array(&json);
    impi_json_end_document(&json);
}
