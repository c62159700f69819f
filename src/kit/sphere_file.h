/// Sphere trees as JSON. What is read back are spheres that anybody may have changed: nothing of them is
/// believed, imp_sphere_tree_create_from_spheres proves them anew.
#ifndef IMPINGE_KIT_SPHERE_FILE_H
#define IMPINGE_KIT_SPHERE_FILE_H

#include "kit/json_writer.h"

#include <impinge/spheres.h>

/// How spheres that do not come from one of our methods are said to be made.
#define IMPI_GIVEN_METHOD "given"

/// The word for a method, by number; null past the last, which is IMPI_GIVEN_METHOD.
const char *impi_sphere_method_name(size_t index);

/// "surface" or "solid".
const char *impi_sphere_cover_name(imp_SphereCover cover);

/// A tree and what is written beside it.
typedef struct impi_NamedSpheres {
    const char *name;   ///< of the body
    const char *file;   ///< of its mesh
    const char *method; ///< one of impi_sphere_method_name
    const imp_SphereTree *tree;
} impi_NamedSpheres;

/// The levels of a tree, as an array.
void impi_sphere_levels_put(impi_JsonWriter *json, const imp_SphereTree *tree);

/// A whole document. The same trees give the same bytes.
void impi_sphere_file_put(impi_Text *text, const impi_NamedSpheres *trees, size_t count);

/// The spheres of one body in a file.
typedef struct impi_ReadSpheres {
    char *name;
    size_t name_capacity;
    const char *method; ///< one of impi_sphere_method_name
    imp_SphereCover cover;
    IMPI_ARRAY(imp_GivenSphere) spheres;
} impi_ReadSpheres;

typedef struct impi_SphereFile {
    imp_Context *context;
    const char *path; ///< the caller's
    IMPI_ARRAY(impi_ReadSpheres) trees;
} impi_SphereFile;

/// Read such a document. Of each tree, "name", "cover" and "spheres" must be there, of each sphere "center",
/// "radius" and "parent"; a "method" has to be one of the known words, and no two trees may have one name.
/// The rest is not looked at. IMP_STATUS_BAD_FILE names what is wrong, and where. On failure there is nothing
/// to free.
imp_Status impi_sphere_file_load(imp_Context *context, const char *path, impi_SphereFile *file);

/// The same from memory; `path` is for errors.
imp_Status impi_sphere_file_parse(imp_Context *context, const char *text, size_t size, const char *path,
                                  impi_SphereFile *file);

void impi_sphere_file_free(impi_SphereFile *file);

#endif
