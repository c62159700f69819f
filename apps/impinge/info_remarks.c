#include "info_remarks.h"

#include <math.h>
#include <stdio.h>

// Longer than this, and shorter than the inverse of it, few parts are in metres.
#define LONGEST 1000.0

static double longest_edge(const imp_Box *box)
{
    return fmax(box->max.x - box->min.x, fmax(box->max.y - box->min.y, box->max.z - box->min.z));
}

static char *next_text(InfoRemarks *remarks)
{
    return remarks->texts[remarks->count++];
}

InfoRemarks info_remarks(const imp_MeshInfo *mesh)
{
    InfoRemarks remarks = {0};
    size_t size = sizeof *remarks.texts, doubles = mesh->duplicate_triangle_count;
    double longest = longest_edge(&mesh->bounds);
    if (doubles > 0)
        snprintf(next_text(&remarks), size, "%zu %s doubled: an earlier face has the same corners", doubles,
                 doubles == 1 ? "face is" : "faces are");
    if (longest > LONGEST)
        snprintf(next_text(&remarks), size, "its box is %.4g long; if that is in millimetres, it is %.4g m",
                 longest, longest / 1000);
    else if (longest > 0 && longest < 1 / LONGEST)
        snprintf(next_text(&remarks), size, "its box is %.4g long; if that is in metres, it is %.4g mm",
                 longest, longest * 1000);
    return remarks;
}
