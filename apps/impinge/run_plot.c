#include "run_plot.h"

#include "kit/safe_text.h"
#include "run_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Pixels.
#define WIDTH        900
#define LEFT         84
#define RIGHT        24
#define TOP          74
#define PANEL_WIDTH  (WIDTH - LEFT - RIGHT)
#define PANEL_HEIGHT 190
#define PANEL_STEP   (PANEL_HEIGHT + 62)
#define MOST_PANELS  3

#define MOST_TICKS_ACROSS 10
#define MOST_TICKS_UP     5
#define MAX_NOTE          128

typedef struct Panel {
    const char *title, *colour;
    const double *values; // of the columns; not a number where there is none
    size_t column_count, frame_count;
    char note[MAX_NOTE];
    bool counts;      // whole numbers
    double step, top; // of the axis
} Panel;

// The least of 1, 2, 5, 10, 20, 50, ... (or 0.5, 0.2, ...) that cuts `range` into at most `most` steps.
static double tick_step(double range, int most)
{
    static const double factors[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(range / most)));
    for (size_t i = 0; i < sizeof factors / sizeof *factors; ++i)
        if (factors[i] * power * most >= range * (1 - 1e-9))
            return factors[i] * power;
    return 10 * power;
}

// ---- axes

static double panel_y(const Panel *panel, double top, double value)
{
    return top + PANEL_HEIGHT * (1 - value / panel->top);
}

static void put_grid(impi_Text *svg, const Panel *panel, double top)
{
    for (int i = 0; i * panel->step <= panel->top * (1 + 1e-9); ++i) {
        double y = panel_y(panel, top, i * panel->step);
        impi_text_printf(svg, "<path d=\"M%d %.1fh%d\" class=\"%s\"/>", LEFT, y, PANEL_WIDTH,
                         i ? "grid" : "axis");
        impi_text_printf(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 8, y + 4,
                         i * panel->step);
    }
}

static void put_frame_numbers(impi_Text *svg, const Panel *panel, double top)
{
    size_t frame_count = panel->frame_count;
    double step = frame_count > 1 ? tick_step((double)(frame_count - 1), MOST_TICKS_ACROSS) : 1;
    if (step < 1)
        step = 1;
    for (size_t frame = 0; frame < frame_count; frame += (size_t)step) {
        double x = LEFT + PANEL_WIDTH * ((double)frame + 0.5) / (double)frame_count;
        impi_text_printf(svg, "<path d=\"M%.1f %.1fv4\" class=\"axis\"/>", x, top + PANEL_HEIGHT);
        impi_text_printf(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%zu</text>\n", x,
                         top + PANEL_HEIGHT + 18, frame);
    }
    impi_text_printf(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">frame</text>\n",
                     LEFT + PANEL_WIDTH / 2, top + PANEL_HEIGHT + 34);
}

// ---- panels

// Columns [begin, end) as steps, filled.
static void put_steps(impi_Text *svg, const Panel *panel, double top, size_t begin, size_t end)
{
    impi_text_printf(svg, "<path d=\"M%.2f %.1f",
                     LEFT + PANEL_WIDTH * (double)begin / (double)panel->column_count, top + PANEL_HEIGHT);
    for (size_t i = begin; i < end; ++i)
        impi_text_printf(svg, "V%.2fH%.2f", panel_y(panel, top, panel->values[i]),
                         LEFT + PANEL_WIDTH * (double)(i + 1) / (double)panel->column_count);
    impi_text_printf(svg, "V%.1fz\" fill=\"%s\" fill-opacity=\"0.35\" stroke=\"%s\" stroke-width=\"1.2\"/>\n",
                     top + PANEL_HEIGHT, panel->colour, panel->colour);
}

static void put_values(impi_Text *svg, const Panel *panel, double top)
{
    for (size_t begin = 0, end; begin < panel->column_count; begin = end) {
        for (end = begin; end < panel->column_count && !isnan(panel->values[end]);)
            ++end;
        if (end > begin)
            put_steps(svg, panel, top, begin, end);
        else
            ++end;
    }
}

static void put_panel(impi_Text *svg, Panel *panel, double top)
{
    double most = 0;
    for (size_t i = 0; i < panel->column_count; ++i)
        most = panel->values[i] > most ? panel->values[i] : most; // not if it is not a number
    most = most > 0 ? most : 1;
    panel->step = tick_step(most, MOST_TICKS_UP);
    if (panel->counts && panel->step < 1)
        panel->step = 1;
    panel->top = panel->step * ceil(most / panel->step * (1 - 1e-9));
    impi_text_printf(svg, "<text x=\"%d\" y=\"%.1f\" class=\"name\">%s</text>\n", LEFT, top - 10,
                     panel->title);
    impi_text_printf(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", WIDTH - RIGHT,
                     top - 10, panel->note);
    put_grid(svg, panel, top);
    put_values(svg, panel, top);
    put_frame_numbers(svg, panel, top);
}

static void put_head(impi_Text *svg, const RunScene *scene, int panel_count)
{
    impi_text_printf(svg,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                     "viewBox=\"0 0 %d %d\">\n<title>",
                     WIDTH, TOP + panel_count * PANEL_STEP, WIDTH, TOP + panel_count * PANEL_STEP);
    impi_text_put_xml(svg, scene->name);
    impi_text_printf(svg, ": %s, frame by frame</title>\n",
                     panel_count == MOST_PANELS ? "contacts, time and distances" : "contacts and time");
    impi_text_put(svg, "<style>text{font:12px sans-serif;fill:#444}.name{font-weight:bold}"
                       ".head{font-size:17px;font-weight:bold;fill:#111}"
                       "path{stroke-linejoin:round}.grid{stroke:#e3e3e3}.axis{stroke:#777}</style>\n"
                       "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    impi_text_printf(svg, "<text x=\"%d\" y=\"30\" class=\"head\">", LEFT);
    impi_text_put_xml(svg, scene->name);
    impi_text_put(svg, "</text>\n");
}

// ---- figures

// What the panels show, for each column.
typedef struct Columns {
    size_t count;
    double *contacts, *times, *distances;
} Columns;

static double least_distance(const impi_PlayedFrame *frame)
{
    double least = NAN;
    for (size_t i = 0; i < frame->near_pair_count; ++i)
        least = fmin(least, frame->near_pairs[i].distance.distance);
    return least;
}

// Where frames are narrower than a pixel, the highest of those in a column is shown, and the least distance.
static void fill_columns(const impi_History *history, const Columns *columns)
{
    for (size_t column = 0; column < columns->count; ++column) {
        RunFrameSpan span = run_frames_of_column(column, columns->count, history->frames.count);
        columns->distances[column] = NAN;
        for (size_t frame = span.first; frame <= span.last; ++frame) {
            impi_PlayedFrame played = impi_history_frame(history, frame);
            columns->contacts[column] = fmax(columns->contacts[column], (double)played.face_pair_count);
            columns->times[column] = fmax(columns->times[column], played.milliseconds);
            columns->distances[column] = fmin(columns->distances[column], least_distance(&played));
        }
    }
}

static Panel make_panel(const char *title, const char *colour, const double *values, size_t column_count,
                        size_t frame_count)
{
    return (Panel){.title = title,
                   .colour = colour,
                   .values = values,
                   .column_count = column_count,
                   .frame_count = frame_count};
}

static void put_plot(impi_Text *svg, const RunScene *scene, const impi_History *history,
                     const impi_PlayTimes *times, const Columns *columns, const double *clearance)
{
    size_t frame_count = history->frames.count, nearest_frame = 0;
    impi_Peak peak = impi_history_peak(history);
    const impi_NearPair *nearest = impi_history_nearest(history, &nearest_frame);
    Panel panels[MOST_PANELS] = {
        make_panel("touching pairs of faces", "#c8402f", columns->contacts, columns->count, frame_count),
        make_panel("milliseconds per frame", "#2f6d9e", columns->times, columns->count, frame_count),
        make_panel("least distance", "#3d8a4d", columns->distances, columns->count, frame_count)};
    int panel_count = clearance ? MOST_PANELS : MOST_PANELS - 1;
    panels[0].counts = true;
    if (peak.face_pairs)
        snprintf(panels[0].note, MAX_NOTE, "at most %zu, in frame %zu", peak.face_pairs, peak.frame);
    if (frame_count)
        snprintf(panels[1].note, MAX_NOTE, "median %.3g, at most %.3g, in frame %zu", times->median,
                 times->most, times->slowest_frame);
    if (clearance && nearest)
        snprintf(panels[2].note, MAX_NOTE, "of pairs at most %.6g apart: least %.6g, in frame %zu",
                 *clearance, nearest->distance.distance, nearest_frame);
    else if (clearance)
        snprintf(panels[2].note, MAX_NOTE, "no pair is at most %.6g apart", *clearance);
    fill_columns(history, columns);
    put_head(svg, scene, panel_count);
    for (int i = 0; i < panel_count; ++i)
        put_panel(svg, &panels[i], TOP + i * PANEL_STEP);
    impi_text_put(svg, "</svg>\n");
}

CommandResult run_plot_save(const RunScene *scene, const impi_History *history, imp_Context *context,
                            const double *clearance, const char *path)
{
    size_t count = history->frames.count < PANEL_WIDTH ? history->frames.count : PANEL_WIDTH;
    double *values = calloc(MOST_PANELS * count + 1, sizeof *values);
    CommandResult result = COMMAND_DONE;
    impi_PlayTimes times;
    impi_Text svg;
    impi_text_begin(&svg);
    bool has_room = values && impi_history_times(context, history, &times) == IMP_STATUS_OK;
    if (has_room) {
        Columns columns = {count, values, values + count, values + 2 * count};
        put_plot(&svg, scene, history, &times, &columns, clearance);
    }
    if (!has_room || svg.out_of_memory)
        result = command_fail("out of memory");
    else if (impi_text_save(context, &svg, path) != IMP_STATUS_OK)
        result = command_fail_in(context);
    impi_text_free(&svg);
    free(values);
    return result;
}
