/// Boxes to try `impinge pairs` on.
#ifndef IMPINGE_APPS_PAIRS_SAMPLE_H
#define IMPINGE_APPS_PAIRS_SAMPLE_H

#include "command.h"

/// Write a NumPy file of `box_count` cubes of side 1 in a cubic world of edge about 2 box_count^(1/3), at
/// random places that are the same every time. With frames (`frame_count` not 0) each cube moves on in a
/// direction of its own, by up to 0.05 along each axis from frame to frame. Says what is wrong.
CommandResult pairs_sample_save(const char *path, uint32_t box_count, uint32_t frame_count);

#endif
