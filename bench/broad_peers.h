/// All pairs of boxes as other libraries find them.
#ifndef IMPINGE_BENCH_BROAD_PEERS_H
#define IMPINGE_BENCH_BROAD_PEERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where pairs go: room for as many as there are, and more are not written.
typedef struct PeerPairs {
    uint32_t (*pairs)[2];
    size_t capacity, count;
} PeerPairs;

static inline void peer_pairs_add(PeerPairs *out, uint32_t a, uint32_t b)
{
    if (out->count < out->capacity) {
        out->pairs[out->count][0] = a < b ? a : b;
        out->pairs[out->count][1] = a < b ? b : a;
    }
    ++out->count;
}

/// Boxes are rows of min x, y, z, max x, y, z. One thread.
typedef struct BroadPeer {
    const char *name;

    /// Whatever is kept from frame to frame.
    void *(*open)(const float *boxes, size_t count);
    void (*close)(void *state);

    /// Find all pairs of new boxes with nothing kept but what open made besides the search structure.
    void (*scratch)(void *state, const float *boxes, PeerPairs *out);

    /// The same for boxes that have moved a little. Null when the library knows no better than from scratch.
    void (*coherent)(void *state, const float *boxes, PeerPairs *out);
} BroadPeer;

extern const BroadPeer embree_broad, embree_refit_broad;
extern const BroadPeer fcl_broad;
extern const BroadPeer cgal_broad;
extern const BroadPeer bullet_broad;
extern const BroadPeer ode_broad;

static inline int peer_boxes_overlap(const float *p, const float *q)
{
    return p[0] <= q[3] && q[0] <= p[3] && p[1] <= q[4] && q[1] <= p[4] && p[2] <= q[5] && q[2] <= p[5];
}

#ifdef __cplusplus
}
#endif

#endif
