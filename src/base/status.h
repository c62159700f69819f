/// How failures are recorded in a context.
#ifndef IMPINGE_BASE_STATUS_H
#define IMPINGE_BASE_STATUS_H

#include <impinge/base.h>

/// Where in the input something is wrong. Start from IMPI_NO_PLACE and set what is known.
typedef struct impi_Place {
    const char *file;
    uint64_t line, byte_offset, index;
} impi_Place;

#define IMPI_NO_PLACE ((impi_Place){0, IMP_NOWHERE, IMP_NOWHERE, IMP_NOWHERE})

/// Record an error and return its status, so that callers write `return impi_fail(...)`.
/// The message is prefixed with "FILE:LINE: " or "FILE: " (and suffixed with " (at byte N)")
/// from the place, so that `format` says only what is wrong. The index is recorded but not printed:
/// `format` says of what it is ("vertex 7 is not finite"). Whatever is printed, the message is cut to its
/// size and is one line of UTF-8; control characters and stray bytes are shown as shown_text.h says.
/// A null context records nothing.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
imp_Status
impi_fail_at(imp_Context *context, imp_Status status, impi_Place place, const char *format, ...);

/// The same where there is no context, with no file: into an error that somebody keeps. A null one records
/// nothing.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
imp_Status
impi_fail_into(imp_Error *error, imp_Status status, const char *format, ...);

/// The same with no file, for arguments; `index` may be IMP_NOWHERE.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
imp_Status
impi_fail(imp_Context *context, imp_Status status, uint64_t index, const char *format, ...);

imp_Status impi_fail_out_of_memory(imp_Context *context);
imp_Status impi_fail_cancelled(imp_Context *context);

/// Do the reserved fields of a def hold zero, as they must until they mean something? IMP_STATUS_BAD_ARGUMENT
/// or OK.
imp_Status impi_check_reserved(imp_Context *context, const uint64_t *reserved, size_t count);
#define IMPI_CHECK_RESERVED(context, def)                                                                    \
    impi_check_reserved(context, (def)->reserved, sizeof(def)->reserved / sizeof *(def)->reserved)

#endif
