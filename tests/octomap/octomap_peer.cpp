#include "octomap_peer.h"

#include <octomap/OcTree.h>

#define MIDDLE 32768

struct OctoMapPeer {
    octomap::OcTree tree;
    explicit OctoMapPeer(double voxel) : tree(voxel)
    {
    }
};

static octomap::OcTreeKey key_of(const int at[3])
{
    return octomap::OcTreeKey((octomap::key_type)(at[0] + MIDDLE), (octomap::key_type)(at[1] + MIDDLE),
                              (octomap::key_type)(at[2] + MIDDLE));
}

OctoMapPeer *octomap_peer_create(double voxel)
{
    return new OctoMapPeer(voxel);
}

OctoMapPeer *octomap_peer_read(const char *path)
{
    OctoMapPeer *map = new OctoMapPeer(1);
    if (map->tree.readBinary(path))
        return map;
    delete map;
    return nullptr;
}

void octomap_peer_destroy(OctoMapPeer *map)
{
    delete map;
}

double octomap_peer_voxel(const OctoMapPeer *map)
{
    return map->tree.getResolution();
}

PeerCell octomap_peer_get(const OctoMapPeer *map, const int at[3])
{
    const octomap::OcTreeNode *node = map->tree.search(key_of(at));
    return !node ? PEER_UNKNOWN : map->tree.isNodeOccupied(node) ? PEER_OCCUPIED : PEER_FREE;
}

void octomap_peer_set(OctoMapPeer *map, const int at[3], PeerCell cell)
{
    if (cell != PEER_UNKNOWN)
        map->tree.updateNode(key_of(at), cell == PEER_OCCUPIED);
}

int octomap_peer_write(OctoMapPeer *map, const char *path)
{
    return map->tree.writeBinary(path);
}
