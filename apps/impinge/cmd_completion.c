#include "completion.h"

#include <string.h>

static const struct {
    const char *shell;
    void (*put)(impi_Text *output);
} scripts[] = {{"bash", completion_put_bash}, {"zsh", completion_put_zsh}, {"fish", completion_put_fish}};

static CommandResult run_completion(const Options *options, impi_Text *output)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; ++i)
        if (strcmp(options->arguments[0], scripts[i].shell) == 0) {
            scripts[i].put(output);
            return COMMAND_DONE;
        }
    return command_fail("completion: expected %s, got \"%s\"", command_completion.options.argument_names,
                        options->arguments[0]);
}

const Command command_completion = {
    .name = "completion",
    .summary = "a script that lets a shell complete command lines",
    .details = "Prints it. Installed versions have it where shells look for it; these lines do without.\n",
    .examples = "  source <(impinge completion bash)         in ~/.bashrc\n"
                "  source <(impinge completion zsh)          in ~/.zshrc, after compinit\n"
                "  impinge completion fish | source          in ~/.config/fish/config.fish\n",
    .options = {NULL, 0, 1, 1, "bash|zsh|fish"},
    .run = run_completion,
};
