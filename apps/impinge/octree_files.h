/// Octrees from files and into files, by their endings.
#ifndef IMPINGE_APPS_OCTREE_FILES_H
#define IMPINGE_APPS_OCTREE_FILES_H

#include "command.h"
#include "kit/picture.h"

/// A cube, and how far it is divided: what of it was said.
typedef struct OctreeCube {
    bool has_cube;
    imp_Vec3 origin;
    double edge;
    uint32_t level; ///< 0: not said
} OctreeCube;

/// In the table of a command.
#define OCTREE_CUBE_OPTION(help_text)                                                                        \
    {                                                                                                        \
        .name = "cube", .value_count = 1, .values = "\"x y z edge\"", .help = (help_text)                    \
    }
#define OCTREE_LEVEL_OPTION(help_text)                                                                       \
    {                                                                                                        \
        .name = "level", .value_count = 1, .values = "L", .help = (help_text)                                \
    }
#define OCTREE_UNKNOWN_OPTION                                                                                \
    {                                                                                                        \
        .name = "unknown", .value_count = 1, .values = "white|black",                                        \
        .help = "what cells are taken for of which an OctoMap knows nothing\n"                               \
                "(default: white)"                                                                           \
    }

/// Take over --cube and --level. Says what is wrong.
CommandResult octree_cube_parse(const Options *options, OctreeCube *cube);

/// Files that are read may have no cube of their own: is there one that takes what was said? Says what is
/// wrong.
CommandResult octree_cube_check(const OctreeCube *cube, const char *const *paths, size_t count);

/// Its grid, with `level` where none was said; without a cube one that has no voxel. Says what is wrong.
CommandResult octree_cube_grid(const OctreeCube *cube, uint32_t level, imp_OctreeGrid *grid);

typedef struct OctreeFile {
    const char *path;
    imp_Octree *octree;
    bool is_map;            ///< an OctoMap
    uint64_t unknown_count; ///< voxels of which it knows nothing
    bool unknown_is_black;
} OctreeFile;

/// Load .oct, .df, .bt or .npy; the cube is for those that have none, and its level for .df. Says what is
/// wrong; release the octree in any case.
CommandResult octree_file_load(imp_Context *context, const Options *options, const char *path,
                               const OctreeCube *cube, OctreeFile *file);

/// On standard error, once all is done: of how many voxels of an OctoMap nothing is known.
void octree_file_remark(const OctreeFile *file);

/// Is the ending of a path, null for none, one that octrees are written to? Takes the options of pictures,
/// too. Says what is wrong.
CommandResult octree_output_parse(const Options *options, const char *path, impi_PictureDef *look);

/// Write it, whole or not at all, and a line about it to `text`. Null paths are fine. Says what is wrong.
CommandResult octree_output_save(imp_Context *context, const imp_Octree *octree, const char *path,
                                 const impi_PictureDef *look, impi_Text *text);

#endif
