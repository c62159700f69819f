/// Two faces that touched: the first ones to look at when their bodies have moved.
#ifndef IMPINGE_OBJECT_TOUCH_HINT_H
#define IMPINGE_OBJECT_TOUCH_HINT_H

#include "object/body.h"
#include "shape/surface.h"

/// Two faces that touched when they were last looked at. All zero: none are known. Any content is safe.
typedef struct impi_TouchHint {
    bool is_set;
    impi_BlockFace a, b;
} impi_TouchHint;

/// A face of a body's blocks, where the body is.
imp_Triangle impi_body_triangle(const impi_Body *body, impi_BlockFace face);

typedef enum impi_HintVerdict {
    IMPI_HINT_FAR,
    IMPI_HINT_NEAR, // by about their own sizes: neighbours may touch
    IMPI_HINT_TOUCHES,
} impi_HintVerdict;

/// Do the two faces touch again? Exact, on posed vertices; near and far are estimates.
impi_HintVerdict impi_hint_try(const impi_TouchHint *hint, const impi_Body *a, const impi_Body *b);

#endif
