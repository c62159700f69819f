#include "octree_files.h"

#include "arguments.h"
#include "kit/argument_text.h"
#include "kit/npy_voxels.h"
#include "kit/safe_text.h"
#include "picture_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- cubes

CommandResult octree_cube_parse(const Options *options, OctreeCube *cube)
{
    const char *text = options_value(options, "cube"), *level = options_value(options, "level");
    double numbers[4];
    *cube = (OctreeCube){0};
    if (level && !argument_integer("level", level, 1, IMP_MAX_OCTREE_LEVEL, &cube->level))
        return COMMAND_FAILED;
    if (!text)
        return COMMAND_DONE;
    if (!argument_numbers("cube", text, 4, numbers))
        return COMMAND_FAILED;
    if (!(numbers[3] > 0))
        return command_fail("--cube: expected an edge above 0 behind \"x y z\", got \"%s\"", text);
    cube->has_cube = true;
    cube->origin = (imp_Vec3){numbers[0], numbers[1], numbers[2]};
    cube->edge = numbers[3];
    return COMMAND_DONE;
}

// Edges near the smallest doubles are no sums of voxels: those would be rounded, or 0, which stands for a
// grid that was not asked for.
CommandResult octree_cube_grid(const OctreeCube *cube, uint32_t level, imp_OctreeGrid *grid)
{
    *grid = (imp_OctreeGrid){cube->origin, 0, cube->level ? cube->level : level};
    if (!cube->has_cube)
        return COMMAND_DONE;
    grid->voxel = ldexp(cube->edge, -(int)grid->level);
    if (ldexp(grid->voxel, (int)grid->level) != cube->edge)
        return command_fail("a cube with an edge of %.17g can't be divided into %u voxels along it",
                            cube->edge, 1u << grid->level);
    return COMMAND_DONE;
}

// Is there a file for which something is meant? Otherwise nothing would come of what was said.
CommandResult octree_cube_check(const OctreeCube *cube, const char *const *paths, size_t count)
{
    bool has_text = false, has_array = false;
    for (size_t i = 0; i < count; ++i) {
        has_text |= impi_file_ends_in(paths[i], "df");
        has_array |= impi_file_ends_in(paths[i], "npy");
    }
    if (cube->has_cube && !has_text && !has_array)
        return command_fail("%s: --cube is for files that do not tell it, .df and .npy", paths[0]);
    if (cube->level && !has_text)
        return command_fail("%s: --level is for files that do not tell it, .df", paths[0]);
    return COMMAND_DONE;
}

// ---- reading

static CommandResult load_voxels(imp_Context *context, const char *path, const OctreeCube *cube,
                                 imp_Octree **octree)
{
    impi_NpyVoxels voxels;
    OctreeCube of_array = *cube;
    of_array.level = 0; // it has its shape
    if (impi_npy_load_voxels(context, path, &voxels) != IMP_STATUS_OK)
        return command_fail_in(context);
    imp_OctreeGrid grid;
    CommandResult result = octree_cube_grid(&of_array, voxels.level, &grid);
    if (!cube->has_cube)
        grid.voxel = 1;
    if (result == COMMAND_DONE &&
        imp_octree_create_from_voxels(context, &grid, voxels.voxels, voxels.count, octree) != IMP_STATUS_OK)
        result = command_fail("%s: %s", path, imp_context_get_error(context)->message);
    impi_npy_free_voxels(context, &voxels);
    return result;
}

// The same cells in another grid.
static CommandResult place_in(imp_Context *context, const char *path, const imp_OctreeGrid *grid,
                              imp_Octree **octree)
{
    imp_Octree *placed = NULL;
    size_t length = 0;
    if (imp_octree_get_df(context, *octree, NULL, 0, &length) != IMP_STATUS_BUFFER_SHORT)
        return command_fail("%s: an octree without text", path);
    char *text = malloc(length);
    if (!text)
        return command_fail("out of memory");
    imp_Status status = imp_octree_get_df(context, *octree, text, length, &length);
    if (status == IMP_STATUS_OK)
        status = imp_octree_create_from_df(context, grid, text, length, &placed);
    free(text);
    imp_octree_release(*octree);
    *octree = placed;
    return status == IMP_STATUS_OK ? COMMAND_DONE
                                   : command_fail("%s: %s", path, imp_context_get_error(context)->message);
}

// Text tells its level by itself, but that of a cube has to be known for the edge of a voxel; a pipe is read
// only once.
static CommandResult load_text(imp_Context *context, const char *path, const OctreeCube *cube,
                               imp_Octree **octree)
{
    const imp_OctreeLoadDef def = {.grid = {{0, 0, 0}, 0, cube->level}};
    imp_OctreeInfo info;
    if (imp_octree_load(context, path, &def, octree) != IMP_STATUS_OK)
        return command_fail_in(context);
    if (!cube->has_cube)
        return COMMAND_DONE;
    if (imp_octree_get_info(*octree, &info) != IMP_STATUS_OK)
        return command_fail("%s: an octree without information", path);
    imp_OctreeGrid grid;
    if (octree_cube_grid(cube, info.grid.level, &grid) != COMMAND_DONE)
        return COMMAND_FAILED;
    return place_in(context, path, &grid, octree);
}

// How cells of which nothing is known are taken.
static CommandResult parse_unknown(const Options *options, bool *is_black)
{
    const char *word = options_value(options, "unknown");
    *is_black = word && strcmp(word, "black") == 0;
    if (word && !*is_black && strcmp(word, "white") != 0)
        return command_fail("--unknown: expected white or black, got \"%s\"", word);
    return COMMAND_DONE;
}

static CommandResult load_map(imp_Context *context, OctreeFile *file)
{
    imp_OctreeLoadDef def = {.unknown_is_black = file->unknown_is_black,
                             .unknown_count = &file->unknown_count};
    file->is_map = true;
    if (imp_octree_load(context, file->path, &def, &file->octree) != IMP_STATUS_OK)
        return command_fail_in(context);
    return COMMAND_DONE;
}

CommandResult octree_file_load(imp_Context *context, const Options *options, const char *path,
                               const OctreeCube *cube, OctreeFile *file)
{
    *file = (OctreeFile){.path = path};
    if (parse_unknown(options, &file->unknown_is_black) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (impi_file_ends_in(path, "npy"))
        return load_voxels(context, path, cube, &file->octree);
    if (impi_file_ends_in(path, "df"))
        return load_text(context, path, cube, &file->octree);
    if (impi_file_ends_in(path, "bt"))
        return load_map(context, file);
    if (!impi_file_ends_in(path, "oct"))
        return command_fail("%s: the ending stands for no file of an octree; these do: oct, df, bt, npy%s",
                            path,
                            impi_file_is_native(path) ? " ('impinge octree build' makes one of a mesh)" : "");
    if (imp_octree_load(context, path, NULL, &file->octree) != IMP_STATUS_OK)
        return command_fail_in(context);
    return COMMAND_DONE;
}

// What is not in the octree: a map's cells of which nothing is known.
void octree_file_remark(const OctreeFile *file)
{
    char remark[IMP_MAX_ERROR_MESSAGE];
    snprintf(remark, sizeof remark, "nothing is known of %" PRIu64 " voxels, which are taken as %s",
             file->unknown_count, file->unknown_is_black ? "black" : "white");
    if (file->unknown_count > 0)
        command_remark(file->path, remark);
}

// ---- writing

static bool is_mesh(const char *path)
{
    return impi_file_ends_in(path, "obj") || impi_file_ends_in(path, "stl") ||
           impi_file_ends_in(path, "ply") || impi_file_ends_in(path, "off");
}

static bool is_octree(const char *path)
{
    return impi_file_ends_in(path, "oct") || impi_file_ends_in(path, "df") || impi_file_ends_in(path, "bt");
}

CommandResult octree_output_parse(const Options *options, const char *path, impi_PictureDef *look)
{
    *look = (impi_PictureDef){0};
    if (path && !is_octree(path) && !is_mesh(path) && !command_is_picture(path) &&
        !impi_file_ends_in(path, "npy") && !impi_file_ends_in(path, "csv"))
        return command_fail(
            "%s: the ending stands for nothing that octrees are written to; these do: oct, df, "
            "bt, npy, csv, obj, stl, ply, off, svg",
            path);
    return picture_options_parse(options, path, path && command_is_picture(path), look);
}

static CommandResult draw(imp_Context *context, const imp_Mesh *mesh, const impi_PictureDef *look,
                          const char *path)
{
    impi_PictureMesh shape = {.vertices = imp_mesh_get_vertices(mesh),
                              .indices = imp_mesh_get_indices(mesh),
                              .triangle_count = imp_mesh_get_triangle_count(mesh)};
    impi_PictureDef picture = *look;
    picture.meshes = &shape;
    picture.mesh_count = 1;
    if (impi_picture_save(context, &picture, path) != IMP_STATUS_OK)
        return command_fail_in(context);
    return COMMAND_DONE;
}

static CommandResult save_surface(imp_Context *context, const imp_Octree *octree, const char *path,
                                  const impi_PictureDef *look, impi_Text *text)
{
    imp_Mesh *mesh = NULL;
    CommandResult result = COMMAND_DONE;
    if (imp_octree_get_surface(context, octree, &mesh) != IMP_STATUS_OK)
        return command_fail("%s: %s", path, imp_context_get_error(context)->message);
    if (command_is_picture(path))
        result = draw(context, mesh, look, path);
    else if (imp_mesh_save(context, mesh, path) != IMP_STATUS_OK)
        result = command_fail_in(context);
    if (result == COMMAND_DONE) {
        impi_text_put_shown(text, path);
        impi_text_printf(text, ": %zu vertices, %zu triangles\n", imp_mesh_get_vertex_count(mesh),
                         imp_mesh_get_triangle_count(mesh));
    }
    imp_mesh_release(mesh);
    return result;
}

// A line for each face of the list of each voxel.
static void put_lists(const imp_Octree *octree, uint32_t level, const uint32_t at[3], uint32_t last,
                      impi_Text *text)
{
    imp_CellColour colour = IMP_CELL_WHITE;
    const uint32_t *faces;
    size_t count;
    if (imp_octree_get_colour(octree, level, at[0], at[1], at[2], &colour) != IMP_STATUS_OK)
        return;
    if (colour == IMP_CELL_BLACK && level == last &&
        imp_octree_get_faces(octree, at[0], at[1], at[2], &faces, &count) == IMP_STATUS_OK)
        for (size_t i = 0; i < count; ++i)
            impi_text_printf(text, "%u,%u,%u,%u\n", at[0], at[1], at[2], faces[i]);
    for (uint32_t octant = 0; octant < 8 && colour == IMP_CELL_GRAY; ++octant) {
        const uint32_t child[3] = {2 * at[0] + (octant & 1), 2 * at[1] + (octant >> 1 & 1),
                                   2 * at[2] + (octant >> 2)};
        put_lists(octree, level + 1, child, last, text);
    }
}

static CommandResult save_lists(imp_Context *context, const imp_Octree *octree, const char *path,
                                impi_Text *text)
{
    imp_OctreeInfo info;
    impi_Text table;
    CommandResult result = COMMAND_DONE;
    if (imp_octree_get_info(octree, &info) != IMP_STATUS_OK || !info.has_faces)
        return command_fail("%s: .csv is for lists of faces, which 'impinge octree build --faces' makes",
                            path);
    impi_text_begin(&table);
    impi_text_put(&table, "x,y,z,face\n");
    put_lists(octree, 0, (const uint32_t[3]){0, 0, 0}, info.grid.level, &table);
    if (impi_text_save(context, &table, path) != IMP_STATUS_OK)
        result = command_fail_in(context);
    impi_text_free(&table);
    if (result == COMMAND_DONE) {
        impi_text_put_shown(text, path);
        impi_text_printf(text, ": %" PRIu64 " voxels, %zu faces in lists\n", info.black_voxel_count,
                         info.face_count);
    }
    return result;
}

CommandResult octree_output_save(imp_Context *context, const imp_Octree *octree, const char *path,
                                 const impi_PictureDef *look, impi_Text *text)
{
    imp_OctreeInfo info;
    if (!path)
        return COMMAND_DONE;
    if (is_mesh(path) || command_is_picture(path))
        return save_surface(context, octree, path, look, text);
    if (impi_file_ends_in(path, "csv"))
        return save_lists(context, octree, path, text);
    imp_Status status = imp_octree_get_info(octree, &info);
    if (status == IMP_STATUS_OK)
        status = impi_file_ends_in(path, "npy") ? impi_npy_save_voxels(context, octree, path)
                                                : imp_octree_save(context, octree, path);
    if (status != IMP_STATUS_OK)
        return command_fail_in(context);
    impi_text_put_shown(text, path);
    impi_text_printf(text, ": %" PRIu64 " black voxels\n", info.black_voxel_count);
    return COMMAND_DONE;
}
