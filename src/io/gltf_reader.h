/// Access to the members of a glTF file's JSON that ends at the first mistake.
#ifndef IMPINGE_IO_GLTF_READER_H
#define IMPINGE_IO_GLTF_READER_H

#include "io/gltf_document.h"

/// After a failure, `status` says so, its error is recorded, and what follows fails silently: callers look
/// once per item.
typedef struct impi_GltfReader {
    impi_Gltf *gltf;
    const char *what; // the item that is being read, for errors: "accessor"
    uint32_t number;
    bool may_open_files;
    imp_Status status;
} impi_GltfReader;

/// "FILE: accessor 3: ... (at byte N)"; `value` may be null.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void
impi_gltf_fail(impi_GltfReader *reader, imp_Status status, const impi_JsonValue *value, const char *format,
               ...);

/// So many numbers were looked at. False after a failure, and when the context's watch ends the work, which
/// `status` says then.
bool impi_gltf_goes_on(impi_GltfReader *reader, uint64_t number_count);

/// An array of `count` elements of `size` bytes, all zero; null after a failure.
void *impi_gltf_allocate(impi_GltfReader *reader, size_t count, size_t size);

/// A member that must be an array or absent. Null when it is absent or
/// wrong, with a count of 0.
const impi_JsonValue *impi_gltf_array(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                                      uint32_t *count);

/// Room for what is made of each item of the array `key` of the file, all zero; null after a failure, with a
/// count of 0.
void *impi_gltf_make_items(impi_GltfReader *reader, const char *key, size_t size, uint32_t *count);

/// Call `read` with each item of the array `key` of the file, with reader->number counting them, until one
/// fails. `what` names an item in errors.
void impi_gltf_read_items(impi_GltfReader *reader, const char *key, const char *what,
                          void (*read)(impi_GltfReader *reader, const impi_JsonValue *object));

/// A whole number from 0 to `max`, or `absent` where there is no such member.
uint64_t impi_gltf_integer(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                           uint64_t max, uint64_t absent);

/// An index below `count`; IMPI_GLTF_NONE when it is absent or wrong. `kind` is what it names.
uint32_t impi_gltf_index(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                         const char *kind, uint32_t count);

/// The same where it may not be absent.
uint32_t impi_gltf_needed_index(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                                const char *kind, uint32_t count);

/// An array of indices below `limit`.
uint32_t *impi_gltf_indices(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                            const char *kind, uint32_t limit, uint32_t *count);

/// An array of exactly `count` numbers. Returns whether the member is there; `numbers` is left alone if not.
bool impi_gltf_numbers(impi_GltfReader *reader, const impi_JsonValue *object, const char *key, size_t count,
                       double *numbers);

#endif
