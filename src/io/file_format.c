#include "io/file_format.h"

#include "io/text_scanner.h"

#include <string.h>

const char *impi_file_extension(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *point = strrchr(name ? name + 1 : path, '.');
    return point ? point + 1 : path + strlen(path);
}

static bool has_extension(const char *path, const char *wanted)
{
    const char *extension = impi_file_extension(path);
    return impi_word_is_caseless((impi_Word){extension, strlen(extension)}, wanted);
}

static const struct {
    const char *extension;
    imp_FileFormat format;
    const char *name;
} formats[] = {
    {"obj", IMP_FORMAT_OBJ, "OBJ"}, {"stl", IMP_FORMAT_STL, "STL"},    {"ply", IMP_FORMAT_PLY, "PLY"},
    {"off", IMP_FORMAT_OFF, "OFF"}, {"gltf", IMP_FORMAT_GLTF, "glTF"}, {"glb", IMP_FORMAT_GLTF, "glTF"},
};

#define FORMAT_ROWS (sizeof formats / sizeof *formats)

imp_FileFormat impi_file_format(const char *path)
{
    for (size_t i = 0; i < FORMAT_ROWS; ++i)
        if (has_extension(path, formats[i].extension))
            return formats[i].format;
    return IMP_FORMAT_BY_NAME;
}

const char *impi_format_name(imp_FileFormat format)
{
    for (size_t i = 0; i < FORMAT_ROWS; ++i)
        if (formats[i].format == format)
            return formats[i].name;
    return NULL;
}

imp_Status impi_fail_format(imp_Context *context, imp_FileFormat format)
{
    return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "there is no file format %d",
                     (int)format);
}
