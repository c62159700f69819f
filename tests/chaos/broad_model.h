/// What a broad phase must say: its boxes by slot, and the pairs of the last update.
#ifndef IMPINGE_TESTS_CHAOS_BROAD_MODEL_H
#define IMPINGE_TESTS_CHAOS_BROAD_MODEL_H

#include "lane.h"

#define MAX_BROAD_SLOTS 32
#define MAX_BROAD_PAIRS (MAX_BROAD_SLOTS * (MAX_BROAD_SLOTS - 1) / 2)

typedef struct BroadBox {
    bool is_alive, is_new; // new: given away since the last update
    imp_BroadId id;        // of the last box in this slot
    imp_Box box;           // as the broad phase keeps it
    uint64_t category_bits, ignore_bits;
} BroadBox;

typedef struct IndexPairs {
    imp_IndexPair pairs[MAX_BROAD_PAIRS];
    size_t count;
} IndexPairs;

struct LaneBroad {
    imp_Broad *broad;
    Home *home;
    bool is_float;
    BroadBox boxes[MAX_BROAD_SLOTS]; // slot s is boxes[s - 1]
    IndexPairs pairs, begun, ended;  // of the last update
    const imp_BroadResult *result;   // the same as the broad phase gave it; null before the first update
};

imp_Box broad_box_rounded(const LaneBroad *model, const imp_Box *box);
size_t broad_model_count(const LaneBroad *model);

/// A new box has this id.
void broad_model_add(LaneBroad *model, imp_BroadId id, const imp_Box *box, uint64_t category_bits,
                     uint64_t ignore_bits);

/// Go on to what the next update must say.
void broad_model_update(LaneBroad *model);

/// Is what the broad phase said last what the model says?
void broad_model_check(const LaneBroad *model, const imp_BroadResult *result);

#endif
