// First times of moving features: a filter in doubles, and integers for what it leaves.
//
// The filter halves the time, from the left to the right, up to ten times. Over an interval, the features
// certainly don't touch if the four points are never in one plane, or if they are apart as seen along an
// axis. They certainly do, once, if the volume changes its sign, all changes of its control values being one,
// while along an axis the point stays inside of the face or the edges stay crossed. Everything else, contacts
// of boundaries and contacts that begin at time 0 among them, is left to integers.
#include "geom/sweep.h"

#include "geom/sweep_forms.h"

typedef struct Forms {
    double volume[4];
    double areas[3][4][3]; // along which axis, without which point (see impi_FlatMargins), control value
} Forms;

// What is the same for all intervals.
typedef struct Search {
    impi_SweepKind kind;
    double volume_error, area_errors[3];
    double until;
} Search;

typedef enum Verdict { VERDICT_APART, VERDICT_TOUCH, VERDICT_OPEN } Verdict;

static void store_area(double out[3], impi_AreaForm form)
{
    out[0] = form.b0;
    out[1] = form.b1;
    out[2] = form.b2;
}

static void store_areas(double out[4][3], const impi_FlatPoint p[4])
{
    store_area(out[0], impi_area_form(p[2], p[3], p[1]));
    store_area(out[1], impi_area_form(p[2], p[3], p[0]));
    store_area(out[2], impi_area_form(p[0], p[1], p[3]));
    store_area(out[3], impi_area_form(p[0], p[1], p[2]));
}

static void make_forms(const impi_PointWay p[4], Forms *forms)
{
    impi_VolumeForm volume = impi_volume_form(p[0], p[1], p[2], p[3]);
    impi_FlatPoint x[4], y[4], z[4];
    forms->volume[0] = volume.b0;
    forms->volume[1] = volume.b1;
    forms->volume[2] = volume.b2;
    forms->volume[3] = volume.b3;
    for (int i = 0; i < 4; ++i) {
        x[i] = impi_along_x(p[i]);
        y[i] = impi_along_y(p[i]);
        z[i] = impi_along_z(p[i]);
    }
    store_areas(forms->areas[0], x);
    store_areas(forms->areas[1], y);
    store_areas(forms->areas[2], z);
}

// De Casteljau: `forms` become those of the lower half.
static void halve(Forms *forms, Forms *upper)
{
    double *v = forms->volume;
    double a = 0.5 * (v[0] + v[1]), b = 0.5 * (v[1] + v[2]), c = 0.5 * (v[2] + v[3]);
    double ab = 0.5 * (a + b), bc = 0.5 * (b + c), middle = 0.5 * (ab + bc);
    *upper = (Forms){.volume = {middle, bc, c, v[3]}};
    v[1] = a;
    v[2] = ab;
    v[3] = middle;
    for (int i = 0; i < 12; ++i) {
        double *low = forms->areas[i / 4][i % 4], *high = upper->areas[i / 4][i % 4];
        double first = 0.5 * (low[0] + low[1]), second = 0.5 * (low[1] + low[2]);
        high[2] = low[2];
        high[1] = second;
        high[0] = low[2] = 0.5 * (first + second);
        low[1] = first;
    }
}

static impi_FormMargins margins(const double area[3], double error)
{
    return impi_area_margins((impi_AreaForm){area[0], area[1], area[2]}, error);
}

// Seen along an axis: apart, touching all the time as far as one plane goes, or neither for sure.
static Verdict look_along(const Search *search, const double areas[4][3], double error)
{
    impi_FlatMargins m = {margins(areas[0], error), margins(areas[1], error), margins(areas[2], error),
                          margins(areas[3], error)};
    bool is_edges = search->kind == IMPI_SWEEP_EDGES;
    if ((is_edges ? impi_flat_edges_apart(m) : impi_flat_vertex_apart(m)) > 0)
        return VERDICT_APART;
    return (is_edges ? impi_flat_edges_crossing(m) : impi_flat_vertex_inside(m)) > 0 ? VERDICT_TOUCH
                                                                                     : VERDICT_OPEN;
}

// Does the volume go through 0 exactly once, whatever the signs of the values between may be? Both ends have
// a certain sign, and the two others are not on the wrong sides for sure or perhaps.
static bool crosses_once(const double v[4], double error)
{
    double sign = v[0] < 0 ? -1 : 1, first = sign * v[1], second = sign * v[2];
    if (!(sign * v[0] > error) || !(sign * v[3] < -error))
        return false;
    return first > error || second < -error;
}

static Verdict judge(const Search *search, const Forms *forms)
{
    const double *v = forms->volume;
    if (impi_volume_margin((impi_VolumeForm){v[0], v[1], v[2], v[3]}, search->volume_error) > 0)
        return VERDICT_APART;
    bool may_touch = false;
    for (int axis = 0; axis < 3; ++axis) {
        Verdict verdict = look_along(search, forms->areas[axis], search->area_errors[axis]);
        if (verdict == VERDICT_APART)
            return VERDICT_APART;
        may_touch |= verdict == VERDICT_TOUCH;
    }
    return may_touch && crosses_once(v, search->volume_error) ? VERDICT_TOUCH : VERDICT_OPEN;
}

typedef struct Finding {
    Verdict verdict;
    double begin, end; // of the interval of a contact
} Finding;

static Finding search_interval(const Search *search, Forms *forms, double begin, double length)
{
    if (begin > search->until)
        return (Finding){.verdict = VERDICT_APART};
    Verdict verdict = judge(search, forms);
    if (verdict == VERDICT_TOUCH)
        return (Finding){verdict, begin, begin + length};
    if (verdict == VERDICT_APART || length <= IMPI_SWEEP_SHORTEST)
        return (Finding){.verdict = verdict};
    Forms upper;
    halve(forms, &upper);
    length *= 0.5;
    Finding finding = search_interval(search, forms, begin, length);
    return finding.verdict == VERDICT_APART ? search_interval(search, &upper, begin + length, length)
                                            : finding;
}

double impi_sweep(impi_SweepKind kind, const imp_Vec3 points[8], double until)
{
    impi_PointWay p[4];
    for (int i = 0; i < 4; ++i)
        p[i] = (impi_PointWay){points[i], points[4 + i]};
    impi_SweepErrors errors = impi_sweep_errors(p[0], p[1], p[2], p[3]);
    Search search = {kind, errors.volume, {errors.x, errors.y, errors.z}, until};
    Forms forms;
    make_forms(p, &forms);
    Finding finding = search_interval(&search, &forms, 0, 1);
    double time = INFINITY;
    if (finding.verdict == VERDICT_TOUCH)
        time = impi_sweep_exact_between(points, finding.begin, finding.end);
    else if (finding.verdict == VERDICT_OPEN)
        time = impi_sweep_exact(kind, points);
    return time <= until ? time : INFINITY;
}
