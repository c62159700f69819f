/// Spheres as text that other programs read.
#ifndef IMPINGE_APPS_SPHERE_TEXT_H
#define IMPINGE_APPS_SPHERE_TEXT_H

#include "sphere_sets.h"

/// What goes into one file. Formats without a tree hold one level of it.
typedef struct SphereSelection {
    const SphereSet *sets;
    size_t count;
    bool has_level; // otherwise the last one
    uint32_t level;
} SphereSelection;

/// The spheres of the level that is meant; null where the tree has none such.
const imp_Sphere *sphere_selection_spheres(const SphereSelection *selection, const SphereSet *set,
                                           size_t *count);

/// What a table holds: the whole tree, or a level of it where one is named or there is one below the root, as
/// in flat sets. The same otherwise.
const imp_Sphere *sphere_selection_rows(const SphereSelection *selection, const SphereSet *set,
                                        size_t *count);

/// A table of spheres of the first set, the header first.
void sphere_put_csv(const SphereSelection *selection, impi_Text *text);
/// All trees, as kit/sphere_file.h reads them back.
void sphere_put_json(const SphereSelection *selection, impi_Text *text);
/// The spheres of links, as cuRobo reads them.
void sphere_put_yaml(const SphereSelection *selection, impi_Text *text);
/// A robot with a link for each set.
void sphere_put_urdf(const SphereSelection *selection, impi_Text *text);

#endif
