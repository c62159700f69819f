// CGAL's box_self_intersection_d, which keeps nothing from frame to frame.
#include "broad_peers.h"

#include <CGAL/box_intersection_d.h>

#include <vector>

namespace
{

typedef CGAL::Box_intersection_d::Box_with_info_d<float, 3, uint32_t> Box;

const std::ptrdiff_t cutoff = 300; // below it pairs are found by brute force; the fastest of those tried

struct State {
    std::vector<Box> boxes;
};

void *open_boxes(const float *, size_t count)
{
    State *state = new State;
    state->boxes.reserve(count);
    return state;
}

void close_boxes(void *state)
{
    delete static_cast<State *>(state);
}

void scratch(void *argument, const float *rows, PeerPairs *out)
{
    std::vector<Box> &boxes = static_cast<State *>(argument)->boxes;
    size_t count = boxes.capacity();
    boxes.clear();
    for (size_t i = 0; i < count; ++i) {
        float low[3] = {rows[6 * i], rows[6 * i + 1], rows[6 * i + 2]};
        float high[3] = {rows[6 * i + 3], rows[6 * i + 4], rows[6 * i + 5]};
        boxes.emplace_back(low, high, uint32_t(i));
    }
    CGAL::box_self_intersection_d(
        boxes.begin(), boxes.end(),
        [out](const Box &a, const Box &b) { peer_pairs_add(out, a.info(), b.info()); }, cutoff);
}

} // namespace

extern "C" const BroadPeer cgal_broad = {"cgal-box-d", open_boxes, close_boxes, scratch, nullptr};
