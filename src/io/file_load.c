#include "io/file_load.h"

#include "io/file_format.h"

#include <string.h>

imp_Status impi_file_load_init(imp_Context *context, const char *path, const imp_LoadDef *def,
                               impi_FileLoad *load)
{
    const imp_LoadDef defaults = {0};
    if (!def)
        def = &defaults;
    impi_FileLoad result = {.path = path,
                            .name = def->name ? def->name : path,
                            .format = def->format,
                            .conversion = {def->multiply_by, def->divide_by},
                            .solids = def->solids,
                            .is_named = def->name != NULL};
    imp_Status status = IMPI_CHECK_RESERVED(context, def);
    if (status == IMP_STATUS_OK)
        status = impi_unit_conversion_check(context, &result.conversion);
    if (status != IMP_STATUS_OK)
        return status;
    if (def->format == IMP_FORMAT_BY_NAME)
        result.format = impi_file_format(path);
    else if (!impi_format_name(def->format))
        return impi_fail_format(context, def->format);
    *load = result;
    return IMP_STATUS_OK;
}

const char *impi_file_load_body_name(const impi_FileLoad *load, size_t *length)
{
    const char *slash = strrchr(load->name, '/');
    const char *begin = slash ? slash + 1 : load->name;
    const char *point = strrchr(begin, '.');
    bool is_whole = load->is_named && !slash;
    *length = point && point > begin && !is_whole ? (size_t)(point - begin) : strlen(begin);
    return begin;
}
