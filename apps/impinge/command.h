/// What the subcommands of `impinge` share: how they are declared, and how they fail.
#ifndef IMPINGE_APPS_COMMAND_H
#define IMPINGE_APPS_COMMAND_H

#include "kit/progress.h"
#include "kit/style.h"
#include "options.h"

#include <impinge/impinge.h>

/// Exit statuses. Only commands that look for something give COMMAND_FOUND.
typedef enum CommandResult { COMMAND_DONE = 0, COMMAND_FOUND = 1, COMMAND_FAILED = 2 } CommandResult;

typedef struct Command {
    const char *name;     ///< "check"; of one behind another word "octree build"
    const char *summary;  ///< a few words, for the list of commands
    const char *details;  ///< paragraphs; each line ends with a newline
    const char *examples; ///< command lines, each with what it does
    /// Commands that are told apart by a second word, by number, null past the last; then this one has
    /// neither options nor `run`. Null: none.
    const struct Command *(*part)(size_t index);
    OptionTable options;
    const char *(*argument_choice)(size_t index); ///< what arguments can be besides files, as in OptionSpec
    /// What it prints goes to `output`, which reaches standard output only when it did not fail.
    CommandResult (*run)(const Options *options, impi_Text *output);
} Command;

extern const Command command_check, command_completion, command_convert, command_demo, command_hull,
    command_info, command_octree, command_pairs, command_run, command_spheres, command_sweep;

/// How the program was called, for command lines that it suggests.
extern const char *command_program;

/// The name of the program in help on a command.
extern const char *command_family;

void command_help(const Command *command, impi_Text *output);

/// The last word of its name, by which a part is found.
const char *command_word(const Command *command);

/// The option that all commands have.
extern const OptionSpec command_help_option;

/// Say what is wrong: one line on standard error. Always COMMAND_FAILED, so that one can return it.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
CommandResult
command_fail(const char *format, ...);

/// The same with the last error of the context, or that there is none.
CommandResult command_fail_in(const imp_Context *context);

/// From now on errors are not printed: the first one is kept here, until null is given. For processes of
/// which only one prints, once all of them know what is wrong.
void command_catch_errors(char *line, size_t capacity);

/// Refuse options of which two exclude each other, by a list of such. Says which.
CommandResult command_refuse_both(const Options *options, const char *const (*pairs)[2], size_t count);

/// The style of standard output, where everything goes that a command prints; looked up once.
impi_Style command_style(void);

/// From now on that is the style of files, whatever standard output seems to be: mpirun gives its processes
/// terminals that nobody sees.
void command_use_file_style(void);

/// A remark about a file, kept for standard error until the command has succeeded: an error is a single line.
void command_remark(const char *file, const char *remark);

/// Move the remarks, which are lines, into a text.
void command_take_remarks(impi_Text *text);

/// Print the remarks, or forget them.
void command_end_remarks(bool print);

/// A context on all cores, or on as many threads as the def asks for. Null after saying why.
imp_Context *command_create_context(const imp_ContextDef *def);

/// From now on the long calls of a context show how far they are; null ends that.
void command_show_progress(imp_Context *context, impi_Progress *progress);

/// Load a mesh, passing on what its reader remarks. Null after saying why.
imp_Mesh *command_load_mesh(imp_Context *context, const char *path);

/// Are both there, and the same file, by whatever names?
bool command_is_same_file(const char *a, const char *b);

/// Does the name of a file end in .svg?
bool command_is_picture(const char *path);

#endif
