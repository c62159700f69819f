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

imp_FileFormat impi_file_format(const char *path)
{
    static const struct {
        const char *extension;
        imp_FileFormat format;
    } formats[] = {
        {"obj", IMP_FORMAT_OBJ}, {"stl", IMP_FORMAT_STL}, {"ply", IMP_FORMAT_PLY}, {"off", IMP_FORMAT_OFF}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (has_extension(path, formats[i].extension))
            return formats[i].format;
    return IMP_FORMAT_BY_NAME;
}

bool impi_file_is_gltf(const char *path)
{
    return has_extension(path, "gltf") || has_extension(path, "glb");
}
