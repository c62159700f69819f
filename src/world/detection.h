/// What a detect works with, kept from one detect to the next so that a warm one allocates nothing.
#ifndef IMPINGE_WORLD_DETECTION_H
#define IMPINGE_WORLD_DETECTION_H

#include "object/block_pairs.h"
#include "world/pair_states.h"
#include "world/scratch_pool.h"
#include "world/surfaces.h"
#include "world/world.h"

#include <stdatomic.h>

/// A pair of bodies whose boxes meet, and what is found out about it.
typedef struct impi_PairWork {
    uint32_t slot_a, slot_b;       // a < b
    size_t first_item, item_count; // in impi_Detection.items
    size_t first_face, face_count; // in impi_Detection.face_keys
    size_t state;                  // of two solids: place in impi_Detection.states
    uint32_t relations;            // imp_Relation bits
    bool wants_faces;              // false for pairs with a solid where no faces are to be found
    bool a_in_open_b, b_in_open_a; // containment that could not be asked for
    atomic_bool touches;           // known while items are still being worked on
} impi_PairWork;

/// Block pairs of one body pair that are worked on in one go.
typedef struct impi_WorkItem {
    uint32_t pair;
    uint32_t list; // in impi_Detection.block_pairs
    size_t first, count;
} impi_WorkItem;

typedef IMPI_ARRAY(imp_FacePair) impi_FacePairs;

typedef struct impi_Detection {
    IMPI_ARRAY(impi_PairWork) pairs;
    IMPI_ARRAY(impi_BlockPairs) block_pairs; // one list per PAIRS_PER_LIST body pairs
    impi_BlockRefs needed_blocks;            // to be posed
    IMPI_ARRAY(impi_WorkItem) items;
    IMPI_ARRAY(impi_FacePairs) item_faces;           // what touches, per item
    IMPI_ARRAY(uint64_t) face_keys, face_keys_spare; // face_a << 32 | face_b, sorted within each body pair
    impi_ScratchPool scratch;
    impi_PairStates states;
    bool has_solids; // does the world have convex bodies?
    atomic_bool out_of_memory;
    atomic_uint_fast64_t candidate_count;
    // The report's lists. Pairs of the last detect are kept for begun and ended, hence two.
    impi_BodyPairs body_pairs[2], begun, ended;
    impi_BodyPairs first_pair; // of a detect for the first pair only
    unsigned current;          // which of body_pairs is the last detect's
    IMPI_ARRAY(imp_TouchingFaces) faces;
    IMPI_ARRAY(imp_OpenContainer) open_containers;
    imp_Report report;
} impi_Detection;

void impi_detection_destroy(const imp_Allocator *allocator, impi_Detection *detection);

/// Have lists of touching faces for `count` items. False when out of memory.
bool impi_detection_reserve_items(const imp_Allocator *allocator, impi_Detection *detection, size_t count);

/// See imp_world_detect.
imp_Status impi_world_detect(imp_World *world, const imp_DetectDef *def, const imp_Report **report);

/// What impi_detect_solids takes from the arena of a task; 0 when the world has no convex bodies.
size_t impi_solids_arena_size(const imp_World *world);

/// Stages, in order. Each returns IMP_STATUS_OK or IMP_STATUS_OUT_OF_MEMORY.

/// Body pairs whose boxes meet and that nobody ignores, sorted, into `pairs`.
imp_Status impi_detect_broad(imp_World *world);

/// Carry over what is known of pairs of solids. Only where there are any.
imp_Status impi_solids_prepare(imp_World *world);

/// Do those of pairs [begin, end) touch of which one body is a solid? Into `relations` and `wants_faces`.
imp_Status impi_detect_solids(imp_World *world, const imp_DetectDef *def, size_t begin, size_t end);

/// Touching faces of those of pairs [begin, end) that want them, into `item_faces`.
imp_Status impi_detect_faces(imp_World *world, const imp_DetectDef *def, size_t begin, size_t end);

/// The same by the method of the paper, for all pairs.
imp_Status impi_detect_faces_smith(imp_World *world, const imp_DetectDef *def);

/// Relations of pairs [begin, end) that do not touch, unless nobody asks for them.
imp_Status impi_detect_containment(imp_World *world, const imp_DetectDef *def, size_t begin, size_t end);

/// Sort the faces and write the report.
imp_Status impi_detect_report(imp_World *world, const imp_DetectDef *def);

#endif
