/// NumPy array files for tests of the command.
#ifndef IMPINGE_TESTS_CLI_NPY_FILES_H
#define IMPINGE_TESTS_CLI_NPY_FILES_H

#include "harness.h"

#include "base/context.h"
#include "kit/npy_writer.h"

#include <string.h>

static inline void save(const char *path, impi_NpyType type, unsigned dimension_count, const size_t *shape,
                        const void *numbers)
{
    imp_Context *context = NULL;
    impi_NpyArray array = {.type = type, .dimension_count = dimension_count, .numbers = numbers};
    memcpy(array.shape, shape, dimension_count * sizeof *shape);
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(impi_npy_save(context, path, &array), IMP_STATUS_OK);
    imp_context_destroy(context);
}

#endif
