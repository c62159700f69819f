/// The bodies of files: what they are made of, how they are named, and where they are.
#ifndef IMPINGE_APPS_BODIES_H
#define IMPINGE_APPS_BODIES_H

#include "input_files.h"
#include "playback/body_names.h"
#include "playback/pose_table.h"
#include "playback/still_motion.h"

typedef struct Body {
    const char *path; // of its file, as it was given or found
    size_t file;      // which of the files it is of
    imp_FileFormat format;
    bool is_placed;       // it was given a pose
    double multiplied_by; // its coordinates, or divided by; 0: they were not
    double divided_by;
} Body;

typedef struct Bodies {
    imp_Context *context;
    InputFiles files;
    imp_Scene **scenes;     // by file; null where the file was left out, or is the same as an earlier one
    impi_StillBody *stills; // as they are played
    Body *bodies;           // what else is known of each
    size_t count, capacity;
    char reason[IMP_MAX_ERROR_MESSAGE]; // why a file can't be read, where its reader does not tell; or empty
    impi_BodyNames *names;
} Bodies;

/// How files are read.
typedef struct BodiesDef {
    imp_FileFormat format; // of standard input
    bool joins;            // each file is one body
    bool solids;           // those of a text STL file are bodies
    bool keeps_going;      // what can't be read is left out, with a remark
} BodiesDef;

/// Take over what options say about files (BODY_FILE_OPTIONS). Says what is wrong.
CommandResult bodies_parse(const Options *options, BodiesDef *def);

#define BODY_FILE_OPTIONS                                                                                    \
    {.name = "join", .help = "each file is one body; otherwise nodes of glTF files are bodies"},             \
        {.name = "solids", .help = "each solid of a text STL file is a body"},                               \
        {.name = "format",                                                                                   \
         .value_count = 1,                                                                                   \
         .values = "obj|stl|ply|off|gltf|glb",                                                               \
         .help = "of standard input, which '-' stands for"},                                                 \
    {                                                                                                        \
        .name = "keep-going", .help = "leave out what can't be read, and say so"                             \
    }

/// Read files, folders and patterns, and name the bodies that are in them. A file that is named more than
/// once is read once. Says what went wrong; free the bodies in any case.
CommandResult bodies_load(imp_Context *context, const char *const *arguments, size_t argument_count,
                          const BodiesDef *def, Bodies *bodies);

/// A file that is read elsewhere, as one body.
typedef struct FarBody {
    const char *path; // must stay
    imp_Pose pose;
    impi_FarMesh mesh;
} FarBody;

/// Name such bodies, as bodies_load does with those that it reads. Nothing is said of what goes wrong: the
/// error is in the context, but for that of memory. Free the bodies in any case.
imp_Status bodies_list_far(imp_Context *context, const FarBody *list, size_t count, Bodies *bodies);

/// The bodies that a number, name or pattern means, at least one. `option` is where it stands. Says what is
/// wrong; free the list (impi_body_list_free) in any case.
CommandResult bodies_find(const Bodies *bodies, const char *option, const char *text, impi_BodyList *found);

/// Put the convex hull of each body's vertices into its place. Says what went wrong.
CommandResult bodies_take_hulls(Bodies *bodies);

/// Read a table of their poses. Says what went wrong; remarks on rotations that were off.
CommandResult bodies_load_poses(const Bodies *bodies, const char *path, impi_PoseTable **table);

void bodies_free(Bodies *bodies);

#endif
