#include "kit/argument_text.h"

#include "io/decimal.h"
#include "io/file_format.h"

#include <string.h>
#include <strings.h>

const char *impi_number_parse(const char *text, double *value)
{
    return impi_decimal_parse(text, text + strlen(text), value);
}

bool impi_file_has_extension(const char *path)
{
    return *impi_file_extension(path) != 0;
}

bool impi_file_is_scene(const char *path)
{
    return impi_file_format(path) == IMP_FORMAT_GLTF;
}

bool impi_file_is_native(const char *path)
{
    return impi_file_format(path) != IMP_FORMAT_BY_NAME;
}

bool impi_file_ends_in(const char *path, const char *extension)
{
    return strcasecmp(impi_file_extension(path), extension) == 0;
}
