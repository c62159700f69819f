#include "command_list.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const Command *const commands[] = {
    &command_check,   &command_sweep,  &command_run,   &command_info, &command_convert,   &command_hull,
    &command_spheres, &command_octree, &command_pairs, &command_demo, &command_completion};

static const ProgramWord words[] = {{"help", "explain the program, or a command", HELP_QUESTION},
                                    {"--help", "explain the program, or a command", HELP_QUESTION},
                                    {"-h", "explain the program, or a command", HELP_QUESTION},
                                    {"version", "tell the version", VERSION_QUESTION},
                                    {"--version", "tell the version", VERSION_QUESTION},
                                    {"-V", "tell the version", VERSION_QUESTION}};

const Command *command_list(size_t index)
{
    return index < COUNT(commands) ? commands[index] : NULL;
}

const Command *command_leaf(size_t index)
{
    for (size_t i = 0; i < COUNT(commands); ++i) {
        if (!commands[i]->part && index-- == 0)
            return commands[i];
        for (size_t k = 0; commands[i]->part && commands[i]->part(k); ++k)
            if (index-- == 0)
                return commands[i]->part(k);
    }
    return NULL;
}

const ProgramWord *program_word_list(size_t index)
{
    return index < COUNT(words) ? &words[index] : NULL;
}
