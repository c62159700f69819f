/// What is read, and how: an imp_LoadDef without defaults.
#ifndef IMPINGE_IO_FILE_LOAD_H
#define IMPINGE_IO_FILE_LOAD_H

#include "geom/unit_conversion.h"

#include <impinge/io.h>

typedef struct impi_FileLoad {
    const char *path;      // where the bytes are
    const char *name;      // stands for it in errors
    imp_FileFormat format; // IMP_FORMAT_BY_NAME: none of ours
    impi_UnitConversion conversion;
    bool solids;
    bool is_named; // by the caller
} impi_FileLoad;

/// `def` may be null. IMP_STATUS_BAD_ARGUMENT when it can't be meant; or OK.
imp_Status impi_file_load_init(imp_Context *context, const char *path, const imp_LoadDef *def,
                               impi_FileLoad *load);

/// What a body is called that is the whole file: not terminated, and `*length` bytes long.
const char *impi_file_load_body_name(const impi_FileLoad *load, size_t *length);

#endif
