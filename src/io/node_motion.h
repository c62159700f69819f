/// Nodes of a scene: trees of frames that move.
#ifndef IMPINGE_IO_NODE_MOTION_H
#define IMPINGE_IO_NODE_MOTION_H

#include "io/affine.h"
#include "io/track.h"

/// What of a node can move.
typedef enum impi_MotionPath {
    IMPI_PATH_TRANSLATION,
    IMPI_PATH_ROTATION,
    IMPI_PATH_SCALE,
    IMPI_PATH_WEIGHTS, // of the morph targets of its mesh
    IMPI_PATH_COUNT,
} impi_MotionPath;

/// Meshes with more are refused.
#define IMPI_MAX_MORPH_TARGETS 1024

#define IMPI_NO_NODE UINT32_MAX

/// A node maps a point to translation + rotation * stretch * point in its parent's frame.
typedef struct impi_SceneNode {
    uint32_t parent; // comes before it in the list of nodes; IMPI_NO_NODE at the top
    imp_Vec3 translation;
    imp_Quat rotation;                   // of unit length
    imp_Transform stretch;               // a scale along the axes, where the file gives no matrix
    impi_Track *tracks[IMPI_PATH_COUNT]; // null for what does not move
} impi_SceneNode;

/// Take any affine map apart: the rotation keeps the direction of the first axis and the plane of the first
/// two, the stretch is the rest.
void impi_node_set_matrix(impi_SceneNode *node, const imp_Transform *matrix);
void impi_node_set_scale(impi_SceneNode *node, imp_Vec3 scale);

/// What a node does at a time.
typedef struct impi_NodePlacement {
    imp_Vec3 translation;
    imp_Quat rotation;
    imp_Transform stretch;
} impi_NodePlacement;

impi_NodePlacement impi_node_place(const impi_SceneNode *node, double seconds);

/// Tracks whose values stay the same become part of the node. Scales that differ by less than a millionth are
/// the same: files hold single precision, and exporters write what does not change once per frame.
void impi_node_settle(impi_SceneNode *node);

/// From the node's frame to the world's. Costs a product per ancestor.
imp_Transform impi_node_world_from_local(const impi_SceneNode *nodes, uint32_t node, double seconds);

/// Does the node, or one above it, move?
bool impi_node_moves(const impi_SceneNode *nodes, uint32_t node);

#endif
