/// Where sets of spheres are written to, and in which format.
#ifndef IMPINGE_APPS_SPHERE_OUTPUT_H
#define IMPINGE_APPS_SPHERE_OUTPUT_H

#include "kit/picture.h"
#include "sphere_sets.h"

typedef struct SphereFormat SphereFormat;

typedef struct SphereOutput {
    const char *path;           // as it was given; null: nothing is written
    const SphereFormat *format; // null as well
    bool is_folder;
    bool has_level;
    uint32_t level;
    impi_PictureDef look;
} SphereOutput;

/// The names of formats, by number; null past the last.
const char *sphere_format_name(size_t index);

/// Take over the options -o, --format, --level and those of pictures. Says what is wrong.
CommandResult sphere_output_parse(const Options *options, SphereOutput *output);

/// The files that sets go to: one for all, or one for each.
typedef struct SphereFiles {
    char **paths;
    size_t count;
} SphereFiles;

/// Before anything is made. Says what is wrong, as that one file is to hold what it can't; free them in any
/// case.
CommandResult sphere_files_plan(const SphereOutput *output, const SphereSets *sets, const SphereSetsDef *def,
                                SphereFiles *files);
void sphere_files_free(SphereFiles *files);

/// Write them, each whole or not at all; after a failure those that are new are gone. A line about each goes
/// to `text`, unless null. Says what is wrong.
CommandResult sphere_files_save(const SphereFiles *files, const SphereOutput *output, const SphereSets *sets,
                                impi_Text *text);

#endif
