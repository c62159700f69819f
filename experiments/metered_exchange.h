/// An exchange that notes what lies between its calls, and what travels in them, and leaves the calls
/// themselves to another one.
///
/// What it counts for a call, among k ranks, rounds being log2 k rounded up:
///   all-reduce of b bytes   rounds messages, 2 b bytes (halves are exchanged, then gathered)
///   all-gather of b bytes   rounds messages, b (k - 1) bytes
///   prefix sum              rounds messages of 8 bytes
///   all-to-all of counts    rounds messages of 8 k / 2 bytes (Bruck)
///   deliver                 a message to each other rank that gets rows; the bytes that the rank sends or
///                           receives, whichever are more
#ifndef IMPINGE_EXPERIMENTS_METERED_EXCHANGE_H
#define IMPINGE_EXPERIMENTS_METERED_EXCHANGE_H

#include "base/array.h"
#include "cluster/exchange.h"

#define METERED_PARTS 8 ///< of a program, at most

/// What a rank does up to a call, and the call.
typedef struct MeteredPhase {
    double work_ns[METERED_PARTS]; // processor time
    uint32_t part;                 // that the call is in
    uint64_t messages;
    uint64_t shared_bytes; // of calls that all ranks get the same from
    uint64_t mail_bytes;   // of rows
} MeteredPhase;

typedef IMPI_ARRAY(MeteredPhase) MeteredPhases;

typedef struct MeteredExchange {
    impi_Exchange exchange; // for the program
    const impi_Exchange *inner;
    MeteredPhases phases;
    // Nanoseconds of each part of the program up to now, by any clock, outside of calls and within them: they
    // only say to which parts processor time, and calls, belong. The program keeps them up.
    const uint64_t *part_ns, *call_ns;
    size_t part_count;

    uint64_t last_part_ns[METERED_PARTS], last_call_ns[METERED_PARTS];
    uint64_t since_ns;
    bool out_of_memory; // phases are missing
} MeteredExchange;

/// Begin to note. The address is kept by `exchange`.
void metered_exchange_begin(MeteredExchange *metered, const impi_Exchange *inner);

/// The program's parts, from now on.
void metered_exchange_watch(MeteredExchange *metered, const uint64_t *part_ns, const uint64_t *call_ns,
                            size_t part_count);

/// Note what came after the last call.
void metered_exchange_end(MeteredExchange *metered);
void metered_exchange_free(MeteredExchange *metered);

#endif
