#include "command.h"

#include "kit/argument_text.h"
#include "kit/safe_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_MESSAGE   (2 * IMP_MAX_ERROR_MESSAGE)
#define OPTION_COLUMN 26 // where the explanations of options begin

const char *command_program = "impinge";
const char *command_family = "impinge";
const OptionSpec command_help_option = {.name = "help", .letter = 'h', .help = "show this"};

// Whatever file names and arguments hold, a message is one line. It takes no memory: that may be what it
// says.
static void print_line(const char *line)
{
    char shown[2 * MAX_MESSAGE];
    impi_show_text(shown, sizeof shown, line);
    impi_progress_make_way();
    fprintf(stderr, "impinge: %s\n", shown);
}

static char *caught_line; // null: errors are printed
static size_t caught_capacity;

void command_catch_errors(char *line, size_t capacity)
{
    caught_line = line;
    caught_capacity = capacity;
}

CommandResult command_fail(const char *format, ...)
{
    char line[MAX_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!caught_line)
        print_line(line);
    else if (!caught_line[0])
        snprintf(caught_line, caught_capacity, "%s", line);
    return COMMAND_FAILED;
}

CommandResult command_fail_in(const imp_Context *context)
{
    return command_fail("%s", imp_context_get_error(context)->message);
}

CommandResult command_refuse_both(const Options *options, const char *const (*pairs)[2], size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (options_has(options, pairs[i][0]) && options_has(options, pairs[i][1]))
            return command_fail("--%s and --%s exclude each other", pairs[i][0], pairs[i][1]);
    return COMMAND_DONE;
}

static impi_Style style; // no columns: not looked up yet

impi_Style command_style(void)
{
    if (style.columns == 0)
        style = impi_style_of(STDOUT_FILENO);
    return style;
}

void command_use_file_style(void)
{
    style = (impi_Style){.columns = IMPI_COLUMNS_OF_FILES};
}

static impi_Text remarks; // lines

void command_remark(const char *file, const char *remark)
{
    if (!remarks.allocator)
        impi_text_begin(&remarks);
    impi_text_put(&remarks, "impinge: note: ");
    impi_text_put_shown(&remarks, file);
    impi_text_put(&remarks, ": ");
    impi_text_put_shown(&remarks, remark);
    impi_text_put(&remarks, "\n");
}

void command_take_remarks(impi_Text *text)
{
    if (!remarks.allocator)
        return;
    impi_text_append(text, remarks.bytes.data, remarks.bytes.count);
    text->out_of_memory |= remarks.out_of_memory;
    impi_text_free(&remarks);
}

void command_end_remarks(bool print)
{
    if (print && remarks.bytes.count > 0)
        fwrite(remarks.bytes.data, 1, remarks.bytes.count, stderr);
    if (remarks.allocator)
        impi_text_free(&remarks);
}

imp_Context *command_create_context(const imp_ContextDef *def)
{
    imp_Context *context = NULL;
    imp_ContextDef complete = *def;
    if (complete.thread_count == 0)
        complete.thread_count = IMP_ALL_CORES;
    if (imp_context_create(&complete, &context) != IMP_STATUS_OK)
        command_fail_in(NULL);
    return context;
}

static void pass_on_progress(const imp_Progress *progress, void *bar)
{
    impi_progress_set_share(bar, progress->work, progress->done);
}

void command_show_progress(imp_Context *context, impi_Progress *progress)
{
    imp_Watch watch = {.progress = progress ? pass_on_progress : NULL, .user = progress};
    imp_Status status = imp_context_watch(context, &watch);
    (void)status; // it refuses no such watch; without one there would be no bar, and no harm
}

imp_Mesh *command_load_mesh(imp_Context *context, const char *path)
{
    imp_Mesh *mesh = NULL;
    if (imp_mesh_load(context, path, &mesh) != IMP_STATUS_OK) {
        command_fail_in(context);
        return NULL;
    }
    if (imp_mesh_get_remark(mesh))
        command_remark(path, imp_mesh_get_remark(mesh));
    return mesh;
}

bool command_is_same_file(const char *a, const char *b)
{
    struct stat info_a, info_b;
    return stat(a, &info_a) == 0 && stat(b, &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
           info_a.st_ino == info_b.st_ino;
}

bool command_is_picture(const char *path)
{
    return impi_file_ends_in(path, "svg");
}

static void help_on_option(const OptionSpec *spec, impi_Text *output)
{
    char left[80];
    int length = snprintf(left, sizeof left, "  %c%c%s--%s%s%s", spec->letter ? '-' : ' ',
                          spec->letter ? spec->letter : ' ', spec->letter ? ", " : "  ", spec->name,
                          spec->values ? " " : "", spec->values ? spec->values : "");
    impi_text_put(output, left);
    int column = length;
    if (length > OPTION_COLUMN - 2) {
        impi_text_put(output, "\n");
        column = 0;
    }
    for (const char *line = spec->help; *line;) {
        size_t line_length = strcspn(line, "\n");
        impi_text_printf(output, "%*s%.*s\n", OPTION_COLUMN - column, "", (int)line_length, line);
        line += line_length + (line[line_length] == '\n');
        column = 0;
    }
}

const char *command_word(const Command *command)
{
    const char *space = strrchr(command->name, ' ');
    return space ? space + 1 : command->name;
}

static void help_on_parts(const Command *command, impi_Text *output)
{
    impi_text_printf(output, "impinge %s: %s\n\nusage: impinge %s COMMAND [ARGUMENTS]\n\n%s\ncommands:\n",
                     command->name, command->summary, command->name, command->details);
    for (size_t i = 0; command->part(i); ++i)
        impi_text_printf(output, "  %-12s%s\n", command_word(command->part(i)), command->part(i)->summary);
    impi_text_printf(output, "\n'impinge %s COMMAND --help' explains each of them.\n\nexamples:\n%s",
                     command->name, command->examples);
}

void command_help(const Command *command, impi_Text *output)
{
    if (command->part) {
        help_on_parts(command, output);
        return;
    }
    impi_text_printf(output, "%s %s: %s\n\nusage: %s %s %s%s\n\n%s", command_family, command->name,
                     command->summary, command_family, command->name, command->options.argument_names,
                     command->options.spec_count ? " [OPTIONS]" : "", command->details);
    impi_text_put(output, "\noptions:\n");
    for (size_t i = 0; i < command->options.spec_count; ++i)
        help_on_option(&command->options.specs[i], output);
    help_on_option(&command_help_option, output);
    impi_text_printf(output, "\nexamples:\n%s", command->examples);
}
