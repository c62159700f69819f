#include "ranks_program.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGUMENTS 16

const char *ranks_program_missing(void)
{
    if (!*BENCH_RANKS_PROGRAM)
        return "install libopenmpi-dev and openmpi-bin, and build anew";
    if (system("command -v mpirun >/dev/null 2>&1") != 0)
        return "there is no mpirun; install openmpi-bin";
    return NULL;
}

static void become_mpirun(const char *const *arguments, int output)
{
    const char *all[MAX_ARGUMENTS] = {
        "mpirun", "-n", "2", "--bind-to", "none", "-q", "--oversubscribe", BENCH_RANKS_PROGRAM};
    size_t count = 0;
    while (all[count])
        ++count;
    for (size_t i = 0; arguments[i] && count + 1 < MAX_ARGUMENTS; ++i)
        all[count++] = arguments[i];
    // Whoever measures as root has decided that already.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    if (output >= 0)
        dup2(output, STDOUT_FILENO);
    execvp(all[0], (char **)(uintptr_t)all);
    _exit(127);
}

bool ranks_program_run(const char *const *arguments, int output)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        become_mpirun(arguments, output);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
