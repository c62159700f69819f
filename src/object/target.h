/// Where bodies are to be at the end of an interval, and how they get there.
#ifndef IMPINGE_OBJECT_TARGET_H
#define IMPINGE_OBJECT_TARGET_H

#include "geom/rigid_path.h"
#include "object/body.h"

#include <impinge/world_sweep.h>

/// Made with the body's first target, and kept with the body.
typedef struct impi_Target {
    bool is_set;
    bool deforms;
    imp_PathKind path; // as it was asked for
    imp_Pose pose;
    imp_Transform transform;
    impi_Deformation shape; // if it deforms
    double largest_coordinate;
    imp_Vec3 pivot;
    int32_t turns;
    imp_Vec3 axis;
    uint64_t change; // counts how often it was set or taken away, from 1
} impi_Target;

/// The body's target, or null.
static inline const impi_Target *impi_body_target(const impi_Body *body)
{
    return body->target && body->target->is_set ? body->target : NULL;
}

/// Vertices where the body arrives, in its frame there, block by block; and the boxes of its blocks.
static inline const impi_Deformation *impi_target_shape(const impi_Target *target)
{
    return target->deforms ? &target->shape : NULL;
}

/// See imp_body_set_target. A null def takes the target away.
imp_Status impi_body_set_target(imp_Context *context, impi_Body *body, const imp_TargetDef *def);

/// The path that the body takes. A rigid path without any turning is a straight one; so is standing still.
imp_PathKind impi_body_path(const impi_Body *body);

/// The way of a body whose path is rigid. As impi_rigid_path_make.
imp_Status impi_target_rigid_path(const impi_Body *body, const impi_Target *target, impi_RigidPath *path);

/// Does the shape of the body's surface change on its way?
bool impi_body_changes_shape(const impi_Body *body);

/// Is the target, which was checked when it was set, still one that keeps all vertices finite, and a way
/// there?
imp_Status impi_body_check_target(imp_Context *context, const impi_Body *body);

/// Bring a body on its way, in two steps, so that all bodies move or none. Preparing computes what takes
/// memory or may be refused, and leaves the body as it was; taking the step can't fail. Says whether the body
/// has changed. `t` is the same in both. Targets are taken away.
imp_Status impi_body_prepare_advance(imp_Context *context, impi_Body *body, double t);
bool impi_body_advance(impi_Body *body, double t);

void impi_target_release(const imp_Allocator *allocator, impi_Body *body);

#endif
