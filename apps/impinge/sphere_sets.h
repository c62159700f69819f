/// Spheres for meshes, one set each: made anew, or taken from a file of trees.
#ifndef IMPINGE_APPS_SPHERE_SETS_H
#define IMPINGE_APPS_SPHERE_SETS_H

#include "input_files.h"
#include "kit/sphere_file.h"
#include "playback/body_names.h"

typedef struct SphereSet {
    const char *path; // of the mesh
    const char *name;
    const char *method; // one of impi_sphere_method_name
    imp_Mesh *mesh;     // until there is a tree
    imp_SphereTree *tree;
    double seconds; // that making it took, coverage and protrusions included
} SphereSet;

typedef struct SphereSets {
    imp_Context *context; // the caller's
    InputFiles files;
    impi_BodyNames *names;
    SphereSet *sets;
    size_t count;
} SphereSets;

/// List the files that arguments name, and name them. Says what is wrong; free them in any case.
CommandResult sphere_sets_list(imp_Context *context, const char *const *arguments, size_t count,
                               SphereSets *sets);
void sphere_sets_free(SphereSets *sets);

/// What is asked for: a def without its mesh, or a file to take the spheres from.
typedef struct SphereSetsDef {
    imp_SphereTreeDef tree;
    const char *from_path; // null: spheres are made
} SphereSetsDef;

/// Load all meshes, and then make the trees. Says what is wrong.
CommandResult sphere_sets_make(SphereSets *sets, const SphereSetsDef *def);

#endif
