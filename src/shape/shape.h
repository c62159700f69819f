/// What every shape begins with, whatever it is.
#ifndef IMPINGE_SHAPE_SHAPE_H
#define IMPINGE_SHAPE_SHAPE_H

#include "base/context.h"

#include <impinge/mesh.h>

#include <stdatomic.h>

/// Adding a kind is adding a value here, a row in shape.c, and filters for it (world/filters.c).
typedef enum impi_ShapeKind {
    IMPI_SHAPE_MESH,   // a surface
    IMPI_SHAPE_CONVEX, // a solid
    IMPI_SHAPE_KIND_COUNT,
    // What bodies are not made of, but given with.
    IMPI_SHAPE_SPHERE_TREE = IMPI_SHAPE_KIND_COUNT,
    // What stands by itself.
    IMPI_SHAPE_OCTREE,
    IMPI_ALL_SHAPE_KINDS,
} impi_ShapeKind;

/// The first member of every shape. Shapes are immutable but for the references to them and what is derived
/// from them on first use.
typedef struct impi_Shape {
    impi_ShapeKind kind;
    atomic_size_t reference_count;
    imp_Allocator allocator; // a copy: a shape may outlive the context that made it
    imp_Box bounds;          // in its own frame
} impi_Shape;

/// With one reference, made with the context's allocator.
void impi_shape_init(impi_Shape *shape, impi_ShapeKind kind, const imp_Context *context,
                     const imp_Box *bounds);

/// Null is fine for both. Any thread.
impi_Shape *impi_shape_retain(impi_Shape *shape);
void impi_shape_release(impi_Shape *shape);

/// The shape's surface, whose faces reports name. Owned by the shape; null for what has none.
imp_Mesh *impi_shape_surface(const impi_Shape *shape);

#endif
