#include "unit_remarks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SUSPICIOUS_RATIO 100
#define MAX_REMARK       512

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double diagonal(const imp_Box *box)
{
    return hypot(hypot(box->max.x - box->min.x, box->max.y - box->min.y), box->max.z - box->min.z);
}

static const imp_Box no_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static imp_Box join(const imp_Box *a, const imp_Box *b)
{
    return (imp_Box){{fmin(a->min.x, b->min.x), fmin(a->min.y, b->min.y), fmin(a->min.z, b->min.z)},
                     {fmax(a->max.x, b->max.x), fmax(a->max.y, b->max.y), fmax(a->max.z, b->max.z)}};
}

// The box of a body where it is, around the corners of its own.
static imp_Box placed_box(const impi_StillBody *body)
{
    imp_Box box = impi_still_bounds(body), placed = no_box;
    imp_Transform transform;
    if (imp_pose_transform(&body->pose, &transform) != IMP_STATUS_OK)
        return box;
    for (unsigned corner = 0; corner < 8; ++corner) {
        imp_Vec3 point = imp_transform_apply(&transform, (imp_Vec3){corner & 1 ? box.max.x : box.min.x,
                                                                    corner & 2 ? box.max.y : box.min.y,
                                                                    corner & 4 ? box.max.z : box.min.z});
        placed = join(&placed, &(imp_Box){point, point});
    }
    return placed;
}

static double gap(const imp_Box *a, const imp_Box *b)
{
    double x = larger(larger(a->min.x - b->max.x, b->min.x - a->max.x), 0);
    double y = larger(larger(a->min.y - b->max.y, b->min.y - a->max.y), 0);
    double z = larger(larger(a->min.z - b->max.z, b->min.z - a->max.z), 0);
    return hypot(hypot(x, y), z);
}

static void remark_on_sizes(const Bodies *bodies)
{
    size_t least = 0, most = 0;
    double sizes[2] = {INFINITY, 0};
    char remark[MAX_REMARK];
    for (size_t i = 0; i < bodies->count; ++i) {
        imp_Box box = impi_still_bounds(&bodies->stills[i]);
        double size = diagonal(&box);
        if (size > 0 && size < sizes[0]) {
            sizes[0] = size;
            least = i;
        }
        if (size > sizes[1]) {
            sizes[1] = size;
            most = i;
        }
    }
    if (!(sizes[1] >= SUSPICIOUS_RATIO * sizes[0]))
        return;
    snprintf(remark, sizeof remark,
             "%s is %.*f times as large as %s; if their units differ, see --unit and --scale",
             bodies->stills[most].name, 0, sizes[1] / sizes[0], bodies->stills[least].name);
    command_remark("sizes", remark);
}

// A body that is farther from all others than a hundred times the largest of them is. `after` has room for a
// box more than there are bodies.
static void remark_on_far(const Bodies *bodies, imp_Box *after)
{
    imp_Box before = no_box;
    double largest = 0;
    char remark[MAX_REMARK];
    after[bodies->count] = no_box;
    for (size_t i = bodies->count; i-- > 0;) {
        imp_Box box = placed_box(&bodies->stills[i]);
        after[i] = join(&box, &after[i + 1]);
        largest = larger(largest, diagonal(&box));
    }
    for (size_t i = 0; i < bodies->count; ++i) {
        imp_Box box = placed_box(&bodies->stills[i]), others = join(&before, &after[i + 1]);
        double far = gap(&box, &others);
        before = join(&before, &box);
        if (!(far > SUSPICIOUS_RATIO * largest) || !isfinite(far))
            continue;
        snprintf(remark, sizeof remark,
                 "%s is %.3g away from all others, and none is larger than %.3g: is it in the same place and "
                 "unit?",
                 bodies->stills[i].name, far, largest);
        command_remark("places", remark);
        return;
    }
}

void unit_remarks(const Bodies *bodies, bool units_are_told)
{
    imp_Box *boxes = calloc(bodies->count + 1, sizeof *boxes);
    if (!units_are_told)
        remark_on_sizes(bodies);
    if (boxes && bodies->count > 1)
        remark_on_far(bodies, boxes);
    free(boxes);
}
