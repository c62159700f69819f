#include "experiment.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_PATH_LENGTH 1024

void experiment_fail(ExperimentRun *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("impinge-experiments: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    run->has_failed = true;
}

void experiment_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

double experiment_processor_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double experiment_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

void experiment_save(ExperimentRun *run, const char *file_name, const impi_Text *text)
{
    char path[MAX_PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", run->folder, file_name);
    if (text->out_of_memory) {
        experiment_fail(run, "%s: out of memory", path);
        return;
    }
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(text->bytes.data, 1, text->bytes.count, file) == text->bytes.count;
    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        experiment_fail(run, "%s: can't be written", path);
}

static bool has_gnuplot(void)
{
    return system("command -v gnuplot >/dev/null") == 0;
}

void experiment_plot(ExperimentRun *run, const char *name, const char *caption, const impi_Text *script)
{
    char file_name[MAX_PATH_LENGTH], command[2 * MAX_PATH_LENGTH];
    impi_Text whole;
    impi_text_init(&whole, &impi_default_allocator);
    impi_text_printf(&whole,
                     "set terminal svg size 800,500 font 'sans-serif,13' background 'white'\n"
                     "set output '%s.svg'\n"
                     "set grid lc rgb '#dddddd'\n"
                     "set key outside right\n",
                     name);
    impi_text_append(&whole, script->bytes.data, script->bytes.count);
    snprintf(file_name, sizeof file_name, "%s.gnuplot", name);
    experiment_save(run, file_name, &whole);
    impi_text_free(&whole);
    if (!has_gnuplot()) {
        experiment_note("%s is not plotted: install gnuplot", name);
        impi_text_printf(&run->page, "(No picture: gnuplot was not there. `gnuplot %s` draws it.)\n\n",
                         file_name);
        return;
    }
    snprintf(command, sizeof command, "cd '%s' && gnuplot '%s'", run->folder, file_name);
    if (system(command) != 0)
        experiment_fail(run, "gnuplot failed on %s/%s", run->folder, file_name);
    impi_text_printf(&run->page, "![%s](%s.svg)\n\n", caption, name);
}

void experiment_claim(ExperimentRun *run, const char *id, const char *text, const char *paper_figure,
                      Verdict verdict, const char *reason, ...)
{
    if (run->claim_count == MAX_CLAIMS) {
        experiment_fail(run, "there is no room for claim %s", id);
        return;
    }
    Claim *claim = &run->claims[run->claim_count++];
    *claim = (Claim){.id = id, .text = text, .paper_figure = paper_figure, .verdict = verdict};
    va_list arguments;
    va_start(arguments, reason);
    vsnprintf(claim->reason, sizeof claim->reason, reason, arguments);
    va_end(arguments);
}

static const char *verdict_word(Verdict verdict)
{
    switch (verdict) {
    case VERDICT_HOLDS:
        return "**holds**";
    case VERDICT_PARTLY:
        return "**holds in part**";
    case VERDICT_FAILS:
        return "**does not hold**";
    case VERDICT_UNTESTED:
        break;
    }
    return "can't be tested here";
}

void experiment_put_claims(ExperimentRun *run)
{
    if (run->claim_count == 0)
        return;
    impi_text_put(&run->page, "## Claims\n\n| | claim | paper | verdict | why |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < run->claim_count; ++i) {
        const Claim *claim = &run->claims[i];
        impi_text_printf(&run->page, "| %s | %s | %s | %s | %s |\n", claim->id, claim->text,
                         claim->paper_figure, verdict_word(claim->verdict), claim->reason);
    }
    impi_text_put(&run->page, "\n");
}
