/// The numbers of a page. Floats are for looking only: verdicts were taken on doubles before.
///
/// In this order, each part at a multiple of four bytes, with counts from the page's header:
/// - for each distinct mesh: vertices (3 floats each) around the centre of the mesh, indices (3 u32 a
/// triangle)
/// - for each frame, for each body: where the centre of its box is (3 floats), rotation x y z w (4 floats)
/// - for each body that deforms: half sides of its box (3 floats), then for each frame its vertices (3 u16
/// each,
///   from 0 at one side of the box to 65535 at the other)
/// - for each frame, as varints: how many pairs; for each pair body a, body b, relations, then for a and for
/// b how
///   many faces touch and those faces, ascending, each as the difference to the one before.
/// Lengths are in units of the layout's scale, places relative to its centre.
#ifndef IMPINGE_APPS_RUN_PAGE_DATA_H
#define IMPINGE_APPS_RUN_PAGE_DATA_H

#include "kit/page_stream.h"
#include "playback/history.h"
#include "run_page_layout.h"
#include "run_scene.h"

/// Says what went wrong, except what the stream's status tells.
CommandResult page_put_data(impi_PageStream *stream, const RunScene *scene, const impi_History *history,
                            const PageLayout *layout);

#endif
