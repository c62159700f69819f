/// What somebody may have meant who wrote a name that nothing has.
#ifndef IMPINGE_KIT_NEAREST_NAME_H
#define IMPINGE_KIT_NEAREST_NAME_H

#include <stddef.h>

/// The one of `names` that is most like `word`, to suggest it; of those that are as like the first. Null when
/// none is.
const char *impi_nearest_name(const char *word, const char *const *names, size_t name_count);

#endif
