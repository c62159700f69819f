// A thread of its own draws the bar, because the work is often one long call.
#include "kit/progress.h"

#include "base/clock.h"
#include "base/shown_text.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define FIRST_DRAWN_MS 1000
#define REDRAWN_MS     100
#define BAR_WIDTH      30
#define MAX_WHAT       200
#define WHOLE          1000
#define NS_PER_SECOND  1e9
#define ERASE_LINE     "\r\033[K"

struct impi_Progress {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool is_ended, is_drawn;
    const char *what;
    size_t done, total; // of a share: in parts of WHOLE
    bool is_share;
    uint64_t begun_ns; // what it is doing now
};

// Seconds left, if the rest goes as what is done has gone.
static uint64_t seconds_left(const impi_Progress *progress)
{
    double spent_ns = (double)(impi_clock_ns() - progress->begun_ns);
    double rest = (double)(progress->total - progress->done) / (double)progress->done;
    return (uint64_t)(spent_ns * rest / NS_PER_SECOND) + 1;
}

static void draw(impi_Progress *progress, unsigned elapsed_ms)
{
    char bar[BAR_WIDTH + 1], what[MAX_WHAT];
    impi_show_text(what, sizeof what, progress->what); // some tell the name of a file
    size_t filled = progress->total ? progress->done * BAR_WIDTH / progress->total : 0;
    for (size_t i = 0; i < BAR_WIDTH; ++i)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    if (progress->is_share)
        fprintf(stderr, ERASE_LINE "%s [%s] %zu %%, %u s", what, bar, progress->done * 100 / WHOLE,
                elapsed_ms / 1000);
    else if (progress->total)
        fprintf(stderr, ERASE_LINE "%s [%s] %zu of %zu, %u s", what, bar, progress->done, progress->total,
                elapsed_ms / 1000);
    else
        fprintf(stderr, ERASE_LINE "%s, %u s", what, elapsed_ms / 1000);
    if (progress->done && progress->done < progress->total)
        fprintf(stderr, ", %" PRIu64 " s left", seconds_left(progress));
    fflush(stderr);
    progress->is_drawn = true;
}

static struct timespec later(unsigned ms)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += ms / 1000;
    time.tv_nsec += (long)(ms % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        ++time.tv_sec;
    }
    return time;
}

static void *redraw(void *argument)
{
    impi_Progress *progress = argument;
    unsigned elapsed_ms = 0, wait_ms = FIRST_DRAWN_MS;
    pthread_mutex_lock(&progress->lock);
    while (!progress->is_ended) {
        struct timespec time = later(wait_ms);
        int woken = 0;
        while (!progress->is_ended && woken == 0)
            woken = pthread_cond_timedwait(&progress->ended, &progress->lock, &time);
        elapsed_ms += wait_ms;
        wait_ms = REDRAWN_MS;
        if (!progress->is_ended)
            draw(progress, elapsed_ms);
    }
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

impi_Progress *impi_progress_begin(void)
{
    impi_Progress *progress = isatty(STDERR_FILENO) ? calloc(1, sizeof *progress) : NULL;
    if (!progress)
        return NULL;
    progress->what = "starting";
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->ended, NULL);
    if (pthread_create(&progress->thread, NULL, redraw, progress) == 0)
        return progress;
    pthread_cond_destroy(&progress->ended);
    pthread_mutex_destroy(&progress->lock);
    free(progress);
    return NULL;
}

// The lock is held.
static void set(impi_Progress *progress, const char *what, size_t done, size_t total)
{
    progress->what = what;
    progress->done = done;
    progress->total = total;
}

void impi_progress_set(impi_Progress *progress, const char *what, size_t done, size_t total)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    if (done == 0)
        progress->begun_ns = impi_clock_ns();
    progress->is_share = false;
    set(progress, what, done, total);
    pthread_mutex_unlock(&progress->lock);
}

void impi_progress_set_share(impi_Progress *progress, const char *what, double share)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    if (!progress->is_share || progress->what != what)
        progress->begun_ns = impi_clock_ns();
    progress->is_share = true;
    set(progress, what, (size_t)(share * WHOLE), WHOLE);
    pthread_mutex_unlock(&progress->lock);
}

void impi_progress_make_way(void)
{
    if (isatty(STDERR_FILENO))
        fputs(ERASE_LINE, stderr);
}

void impi_progress_end(impi_Progress *progress)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->is_ended = true;
    pthread_cond_signal(&progress->ended);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->thread, NULL);
    if (progress->is_drawn)
        fputs(ERASE_LINE, stderr);
    pthread_cond_destroy(&progress->ended);
    pthread_mutex_destroy(&progress->lock);
    free(progress);
}
