/// Maps in OctoMap's own library.
#ifndef IMPINGE_TESTS_OCTOMAP_PEER_H
#define IMPINGE_TESTS_OCTOMAP_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OctoMapPeer OctoMapPeer;

typedef enum PeerCell { PEER_UNKNOWN, PEER_FREE, PEER_OCCUPIED } PeerCell;

/// Null when the library refuses the file.
OctoMapPeer *octomap_peer_read(const char *path);

/// An empty map with voxels of this edge.
OctoMapPeer *octomap_peer_create(double voxel);
void octomap_peer_destroy(OctoMapPeer *map);

double octomap_peer_voxel(const OctoMapPeer *map);

/// Of the voxel that begins so many voxels from 0, 0, 0.
PeerCell octomap_peer_get(const OctoMapPeer *map, const int at[3]);
void octomap_peer_set(OctoMapPeer *map, const int at[3], PeerCell cell);

/// 0 when it can't. Equal cells are joined before.
int octomap_peer_write(OctoMapPeer *map, const char *path);

#ifdef __cplusplus
}
#endif

#endif
