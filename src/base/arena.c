#include "base/arena.h"

#include "base/memory.h"

#include <assert.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif

// To the address sanitizer a chunk is one block; these tell it which bytes of it are handed out.
#if defined(HAS_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#define FORBID_BYTES(start, size) __asan_poison_memory_region((start), (size))
#define ALLOW_BYTES(start, size)  __asan_unpoison_memory_region((start), (size))
#else
#define FORBID_BYTES(start, size) ((void)(start), (void)(size))
#define ALLOW_BYTES(start, size)  ((void)(start), (void)(size))
#endif

#define SMALLEST_CHUNK ((size_t)64 * 1024)

// The bytes handed out follow the header, IMPI_ALIGNMENT bytes after its start.
typedef struct impi_ArenaChunk {
    struct impi_ArenaChunk *older;
    size_t capacity; // a multiple of IMPI_ALIGNMENT, without the header
} Chunk;

static_assert(sizeof(Chunk) <= IMPI_ALIGNMENT, "the header fits before the first aligned byte");

static unsigned char *chunk_bytes(Chunk *chunk)
{
    return (unsigned char *)chunk + IMPI_ALIGNMENT;
}

static bool chunk_push(impi_Arena *arena, size_t capacity)
{
    Chunk *chunk = NULL;
    if (capacity <= SIZE_MAX - IMPI_ALIGNMENT)
        chunk = impi_allocate(arena->allocator, IMPI_ALIGNMENT + capacity);
    if (!chunk)
        return false;
    chunk->older = arena->chunk;
    chunk->capacity = capacity;
    FORBID_BYTES(chunk_bytes(chunk), capacity);
    arena->chunk = chunk;
    arena->used = 0;
    arena->capacity += capacity;
    if (arena->most_capacity < arena->capacity)
        arena->most_capacity = arena->capacity;
    return true;
}

// Take a chunk out of the list, wherever `link` finds it, and give it back.
static void chunk_release(impi_Arena *arena, Chunk **link)
{
    Chunk *chunk = *link;
    *link = chunk->older;
    arena->capacity -= chunk->capacity;
    ALLOW_BYTES(chunk_bytes(chunk), chunk->capacity);
    impi_release(arena->allocator, chunk, IMPI_ALIGNMENT + chunk->capacity);
}

void impi_arena_init(impi_Arena *arena, const imp_Allocator *allocator)
{
    *arena = (impi_Arena){.allocator = allocator};
}

void impi_arena_destroy(impi_Arena *arena)
{
    while (arena->chunk)
        chunk_release(arena, &arena->chunk);
    impi_arena_init(arena, arena->allocator);
}

void *impi_arena_allocate(impi_Arena *arena, size_t size)
{
    if (size > SIZE_MAX - IMPI_ALIGNMENT)
        return NULL;
    size_t rounded = (size + IMPI_ALIGNMENT - 1) / IMPI_ALIGNMENT * IMPI_ALIGNMENT;
    if (rounded == 0)
        rounded = IMPI_ALIGNMENT;
    if (!arena->chunk || rounded > arena->chunk->capacity - arena->used) {
        // A quarter as much again as there is, so that a growing use needs few chunks and leaves little
        // unused.
        size_t wanted = arena->capacity / 4 < SMALLEST_CHUNK ? SMALLEST_CHUNK : arena->capacity / 4;
        if (wanted < rounded)
            wanted = rounded;
        if (!chunk_push(arena, wanted))
            return NULL;
    }
    void *storage = chunk_bytes(arena->chunk) + arena->used;
    arena->used += rounded;
    ALLOW_BYTES(storage, size);
    return storage;
}

void *impi_arena_allocate_array(impi_Arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return impi_arena_allocate(arena, count * size);
}

static void keep_largest_chunk(impi_Arena *arena)
{
    size_t largest = 0;
    for (Chunk *chunk = arena->chunk; chunk; chunk = chunk->older)
        if (largest < chunk->capacity)
            largest = chunk->capacity;
    bool is_kept = false;
    for (Chunk **link = &arena->chunk; *link;) {
        if (!is_kept && (*link)->capacity == largest) {
            is_kept = true;
            link = &(*link)->older;
        } else {
            chunk_release(arena, link);
        }
    }
}

// The smaller chunks go before their replacement comes, so that less memory is held at once; the largest
// goes only afterwards.
void impi_arena_reset(impi_Arena *arena)
{
    size_t needed = arena->most_capacity;
    keep_largest_chunk(arena);
    if (arena->capacity < needed && chunk_push(arena, needed) && arena->chunk->older)
        chunk_release(arena, &arena->chunk->older);
    arena->used = 0;
    arena->most_capacity = arena->capacity;
    if (arena->chunk)
        FORBID_BYTES(chunk_bytes(arena->chunk), arena->chunk->capacity);
}

impi_ArenaMark impi_arena_mark(const impi_Arena *arena)
{
    return (impi_ArenaMark){arena->chunk, arena->used};
}

void impi_arena_rewind(impi_Arena *arena, impi_ArenaMark mark)
{
    while (arena->chunk != mark.chunk)
        chunk_release(arena, &arena->chunk);
    arena->used = mark.used;
    if (arena->chunk)
        FORBID_BYTES(chunk_bytes(arena->chunk) + mark.used, arena->chunk->capacity - mark.used);
}

static void *allocate_in(size_t size, void *arena)
{
    return impi_arena_allocate(arena, size);
}

static void release_in(void *storage, size_t size, void *arena)
{
    (void)storage;
    (void)size;
    (void)arena;
}

imp_Allocator impi_arena_allocator(impi_Arena *arena)
{
    return (imp_Allocator){allocate_in, release_in, arena};
}
