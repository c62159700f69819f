/// Scratch memory that is given back all at once.
#ifndef IMPINGE_BASE_ARENA_H
#define IMPINGE_BASE_ARENA_H

#include <impinge/base.h>

/// It grows by chunks while in use; a reset keeps what one whole use needed as a single chunk, so that the
/// next use of the same size allocates nothing. One thread at a time.
typedef struct impi_Arena {
    const imp_Allocator *allocator;
    struct impi_ArenaChunk *chunk; // the newest; older ones are linked behind it
    size_t used;                   // bytes handed out of the newest chunk
    size_t capacity;               // of all chunks together
    size_t most_capacity;          // the largest that was since the last reset: rewinds release chunks
} impi_Arena;

typedef struct impi_ArenaMark {
    struct impi_ArenaChunk *chunk;
    size_t used;
} impi_ArenaMark;

/// `allocator` must outlive the arena.
void impi_arena_init(impi_Arena *arena, const imp_Allocator *allocator);
void impi_arena_destroy(impi_Arena *arena);

/// Null when out of memory. Aligned to 64 bytes, not zeroed. 0 bytes give a valid pointer.
void *impi_arena_allocate(impi_Arena *arena, size_t size);
void *impi_arena_allocate_array(impi_Arena *arena, size_t count, size_t size);

/// As an allocator, for arrays that grow: what they release stays until the arena is emptied. Valid as long
/// as the arena is.
imp_Allocator impi_arena_allocator(impi_Arena *arena);

/// Empty it. When one chunk was not enough, the chunks are replaced by one of the size they had together;
/// if that can't be had the largest stays.
void impi_arena_reset(impi_Arena *arena);

/// Give back everything allocated since the mark.
impi_ArenaMark impi_arena_mark(const impi_Arena *arena);
void impi_arena_rewind(impi_Arena *arena, impi_ArenaMark mark);

#endif
