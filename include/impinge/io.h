/// Mesh files: OBJ, STL, PLY, OFF and glTF in double precision, faces in file order; other formats through
/// assimp where the build has it.
#ifndef IMPINGE_IO_H
#define IMPINGE_IO_H

#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum imp_FileFormat {
    IMP_FORMAT_BY_NAME = 0, ///< by the extension of the file's name
    IMP_FORMAT_OBJ,
    IMP_FORMAT_STL, ///< reading: text or binary, told apart by content; writing: binary
    IMP_FORMAT_PLY, ///< reading: text or binary in both byte orders; writing: binary, little endian
    IMP_FORMAT_OFF,
    IMP_FORMAT_GLTF, ///< reading only: text or binary, told apart by content
} imp_FileFormat;

/// How a file is read. Zero fields mean defaults.
typedef struct imp_LoadDef {
    imp_FileFormat format; ///< IMP_FORMAT_BY_NAME: by the extension of the path
    double multiply_by;    ///< each coordinate is multiplied by it; 0: it is not
    double divide_by;      ///< each coordinate is divided by it; 0: it is not. At most one of both is set
    bool solids;           ///< scenes only: each solid of a text STL file is a body of its own
    const char *name;      ///< stands for the file in errors; null: its path
    uint64_t reserved[4];  ///< zero
} imp_LoadDef;

/// Read a mesh. Triangles come in file order, polygons fanned from their first vertex in place; none is
/// dropped, merged or reordered. The error names file, line or byte offset, and what was expected:
/// IMP_STATUS_IO (also a file that is cut short while it is read), IMP_STATUS_BAD_FILE, IMP_STATUS_TOO_LARGE
/// (see imp_ContextDef.max_file_bytes), IMP_STATUS_UNSUPPORTED (unknown extension, or the build lacks
/// assimp: the message names the package), or those of the context's watch. Of glTF (.gltf, .glb), the meshes
/// of the scene are joined, each placed by its node at rest, without morph targets and skins; impinge/scene.h
/// reads bodies in motion. The message tells when the content is clearly that of another format.
IMP_CHECKED imp_Status imp_mesh_load(imp_Context *context, const char *path, imp_Mesh **mesh);

/// The same with a def, which may be null: all defaults. A path that has no size, such as a pipe or
/// /dev/stdin, can be read in each format but those of assimp.
///
/// Coordinates in another unit are one correctly rounded product or quotient each, so that files in metres
/// and in millimetres can agree to the last bit: 9 divided by 1000 is the double 0.009, but 9 times 0.001
/// is not. Refused: a factor that is negative or not finite, or two of them (IMP_STATUS_BAD_ARGUMENT);
/// coordinates that they make too large (IMP_STATUS_BAD_NUMBER, with the vertex).
IMP_CHECKED imp_Status imp_mesh_load_with(imp_Context *context, const char *path, const imp_LoadDef *def,
                                          imp_Mesh **mesh);

/// The same from memory, for OBJ, STL, PLY and OFF; `name` stands for the file in errors.
IMP_CHECKED imp_Status imp_mesh_load_memory(imp_Context *context, imp_FileFormat format, const void *bytes,
                                            size_t size, const char *name, imp_Mesh **mesh);

/// Write a mesh in the format of the extension. Doubles are written so that they read back identical
/// (STL holds single precision only). The file appears whole or not at all.
IMP_CHECKED imp_Status imp_mesh_save(imp_Context *context, const imp_Mesh *mesh, const char *path);

#ifdef __cplusplus
}
#endif

#endif
