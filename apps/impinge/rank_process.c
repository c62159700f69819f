#define _DEFAULT_SOURCE // setenv, and prctl's header

#include "rank_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define READ_SIZE ((size_t)1 << 16)

// In the child: never returns. Why it failed goes through `report`, which a program that starts closes.
static void become(const char *const *words, int output, int report)
{
    int nothing = open("/dev/null", O_RDWR);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); // whoever is killed takes the ranks along
#endif
    signal(SIGXFSZ, SIG_DFL);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0 &&
        dup2(output, STDOUT_FILENO) >= 0)
        execvp(words[0], (char *const *)words);
    int error = errno;
    ssize_t written = write(report, &error, sizeof error);
    _exit(written == (ssize_t)sizeof error ? 127 : 126);
}

static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static void close_pipe(int ends[2])
{
    for (int i = 0; i < 2; ++i)
        if (ends[i] >= 0)
            close(ends[i]);
    ends[0] = ends[1] = -1;
}

static void read_all(int descriptor, impi_Text *output)
{
    static char bytes[READ_SIZE];
    ssize_t got;
    while ((got = read(descriptor, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            impi_text_append(output, bytes, (size_t)got);
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

CommandResult rank_process_run(const char *const *words, impi_Text *output, int *status)
{
    int out[2] = {-1, -1}, report[2] = {-1, -1}, error = 0;
    CommandResult result = COMMAND_FAILED;
    if (!open_pipe(out) || !open_pipe(report)) {
        command_fail("%s: %s", words[0], strerror(errno));
        goto cleanup;
    }
    // mpirun refuses to work for root unless both are there.
    if (geteuid() == 0 && (setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1) != 0 ||
                           setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1) != 0)) {
        command_fail("out of memory");
        goto cleanup;
    }
    pid_t child = fork();
    if (child == 0)
        become(words, out[1], report[1]);
    if (child < 0) {
        command_fail("%s: %s", words[0], strerror(errno));
        goto cleanup;
    }
    close(out[1]);
    close(report[1]);
    out[1] = report[1] = -1;
    bool has_failed = read(report[0], &error, sizeof error) == (ssize_t)sizeof error;
    if (!has_failed)
        read_all(out[0], output);
    *status = wait_for(child);
    if (has_failed)
        command_fail("%s: %s", words[0], strerror(error));
    else
        result = COMMAND_DONE;
cleanup:
    close_pipe(out);
    close_pipe(report);
    return result;
}
