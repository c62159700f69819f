/// A checked glTF file written anew, in the plainest form.
///
/// assimp 5.2.5 crashes on files that are right (a skin without inverse bind matrices, a mesh with two
/// skins), reads others wrong (joint weights that are no floats, morph targets with cubic splines, nodes of
/// one name) and trusts the rest. So it gets to see neither a file that was not checked, nor anything in it
/// that has nothing to do with shapes and motion.
#ifndef IMPINGE_IO_GLTF_PLAIN_H
#define IMPINGE_IO_GLTF_PLAIN_H

#include "io/gltf_document.h"

typedef struct impi_PlainGltf {
    unsigned char *bytes; // a .glb file
    size_t size;
} impi_PlainGltf;

/// All bodies of a file may have so many vertices and corners together.
#define IMPI_MAX_SCENE_VERTICES ((size_t)1 << 27)

/// Write the scene of a file. In the result, a node is named by its number, and has a mesh to itself, with
/// its own morph weights; only triangles are left; numbers are floats; all animations are one, with the
/// channels that play, each LINEAR through its values (tangents of cubic splines are left out). A single key
/// is written twice, which tells it from those that assimp makes up for what does not move.
/// Refused: numbers that are not finite and indices that name no vertex or joint (IMP_STATUS_BAD_FILE), no
/// triangles (IMP_STATUS_BAD_SHAPE), more than IMPI_MAX_SCENE_VERTICES (IMP_STATUS_TOO_LARGE).
imp_Status impi_gltf_write_plain(impi_Gltf *gltf, impi_PlainGltf *plain);
void impi_gltf_free_plain(const impi_Gltf *gltf, impi_PlainGltf *plain);

#endif
