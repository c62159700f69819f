/// A glTF 2.0 file (.gltf or .glb), checked: every index names something, every accessor lies in its buffer,
/// nodes form trees, and the scene has triangles and motion of finite numbers. Only what concerns shapes and
/// motion is looked at.
#ifndef IMPINGE_IO_GLTF_DOCUMENT_H
#define IMPINGE_IO_GLTF_DOCUMENT_H

#include "io/file_bytes.h"
#include "io/json.h"
#include "io/node_motion.h"

#include <impinge/math.h>

/// Where an index is absent.
#define IMPI_GLTF_NONE UINT32_MAX

/// How far rotations may be off unit length.
#define IMPI_GLTF_UNIT_TOLERANCE 0.01

typedef struct impi_GltfBuffer {
    const unsigned char *bytes;
    size_t size;
    impi_FileBytes file; // when the bytes are those of a file of their own
} impi_GltfBuffer;

typedef struct impi_GltfView {
    const unsigned char *bytes;
    size_t size, stride; // a stride of 0: tightly packed
} impi_GltfView;

typedef enum impi_GltfComponent {
    IMPI_GLTF_BYTE = 5120,
    IMPI_GLTF_UNSIGNED_BYTE = 5121,
    IMPI_GLTF_SHORT = 5122,
    IMPI_GLTF_UNSIGNED_SHORT = 5123,
    IMPI_GLTF_UNSIGNED_INT = 5125,
    IMPI_GLTF_FLOAT = 5126,
} impi_GltfComponent;

typedef struct impi_GltfAccessor {
    impi_GltfComponent component;
    unsigned width; // numbers per element
    bool normalized;
    size_t count, stride;
    const unsigned char *bytes; // null: all zero
    bool are_times;             // found to ascend
    size_t finite_count;        // elements, from the first on, that were found to be finite
    // Elements that stand elsewhere, by ascending index.
    size_t sparse_count;
    impi_GltfComponent sparse_component;
    const unsigned char *sparse_indices, *sparse_values;
} impi_GltfAccessor;

#define IMPI_GLTF_MAX_JOINT_SETS 4

/// How corners make triangles. Those below are points and lines.
typedef enum impi_GltfMode {
    IMPI_GLTF_TRIANGLES = 4,
    IMPI_GLTF_STRIP = 5,
    IMPI_GLTF_FAN = 6,
} impi_GltfMode;

typedef struct impi_GltfPrimitive {
    uint32_t mode;
    uint32_t position, indices;
    uint32_t *targets; // accessors of displacements; as many as the mesh has targets
    uint32_t joint_set_count;
    uint32_t joints[IMPI_GLTF_MAX_JOINT_SETS], weights[IMPI_GLTF_MAX_JOINT_SETS];
} impi_GltfPrimitive;

typedef struct impi_GltfMesh {
    impi_GltfPrimitive *primitives;
    uint32_t primitive_count, target_count;
    double *weights;    // one per target; null: all zero
    bool has_triangles; // in one of its primitives
    bool is_checked;    // its numbers are
} impi_GltfMesh;

typedef struct impi_GltfNode {
    const impi_JsonValue *name; // null when it has none
    uint32_t parent, mesh, skin;
    uint32_t *children;
    uint32_t child_count;
    uint32_t scene_index; // among the nodes of the scene; IMPI_GLTF_NONE outside of it
    bool has_matrix;
    imp_Transform matrix;
    imp_Vec3 translation, scale;
    imp_Quat rotation; // of unit length
    double *weights;   // of morph targets; null: the mesh's
} impi_GltfNode;

typedef struct impi_GltfSkin {
    uint32_t *joints;
    uint32_t joint_count, inverse_binds;
} impi_GltfSkin;

/// One channel of an animation with its sampler.
typedef struct impi_GltfChannel {
    uint32_t node, input, output;
    impi_MotionPath path;
    impi_Interpolation interpolation;
    unsigned width; // numbers per key; in `output` they may be spread over several elements
    bool plays;     // no later channel moves the same
} impi_GltfChannel;

typedef struct impi_Gltf {
    imp_Context *context;
    const char *file_name; // for errors
    const char *path;      // beside which its buffers lie
    impi_FileBytes file;
    uint64_t bytes_read; // of this file and of those that it names
    impi_Json json;
    const unsigned char *binary_chunk;
    size_t binary_chunk_size;
    impi_Arena arena;

    impi_GltfBuffer *buffers;
    impi_GltfView *views;
    impi_GltfAccessor *accessors;
    impi_GltfMesh *meshes;
    impi_GltfNode *nodes;
    impi_GltfSkin *skins;
    impi_GltfChannel *channels; // of all animations
    uint32_t *scene_nodes;      // from the roots of the scene down, children in order, parents first
    uint32_t buffer_count, view_count, accessor_count, mesh_count, node_count, skin_count, channel_count,
        scene_count, scene_node_count;
    uint64_t number_count;     // about as many numbers make the bodies
    uint32_t overridden_count; // channels that don't play, because later ones move the same
    uint32_t unplayed_count;   // channels that move nothing that is known
} impi_Gltf;

/// Read and check the file, which `name` stands for in errors. On success close it; on failure there is
/// nothing to close. The context must outlive it. Expects the default floating-point mode.
imp_Status impi_gltf_open(imp_Context *context, const char *path, const char *name, impi_Gltf *gltf);

/// The same from memory, which must outlive it. Buffers in files of their own are refused.
imp_Status impi_gltf_open_memory(imp_Context *context, const char *name, const void *bytes, size_t size,
                                 impi_Gltf *gltf);
void impi_gltf_close(impi_Gltf *gltf);

/// The file is right, but its transforms make a coordinate that is not finite: IMP_STATUS_BAD_FILE.
imp_Status impi_gltf_fail_transforms(const impi_Gltf *gltf);

#endif
