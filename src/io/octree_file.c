#include "io/octree_file.h"

#include "io/file_bytes.h"
#include "io/file_format.h"
#include "io/octree_reader.h"
#include "io/octree_writer.h"
#include "io/text_scanner.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const extensions[IMPI_OCTREE_FORMAT_COUNT] = {
    [IMPI_OCTREE_PACKED] = "oct", [IMPI_OCTREE_TEXT] = "df", [IMPI_OCTREE_OCTOMAP] = "bt"};

impi_OctreeFormat impi_octree_format(const char *path)
{
    const char *extension = impi_file_extension(path);
    unsigned format = 0;
    while (format < IMPI_OCTREE_FORMAT_COUNT &&
           !impi_word_is_caseless((impi_Word){extension, strlen(extension)}, extensions[format]))
        ++format;
    return (impi_OctreeFormat)format;
}

static imp_Status check_format(imp_Context *context, const char *path)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    if (impi_octree_format(path) != IMPI_OCTREE_FORMAT_COUNT)
        return IMP_STATUS_OK;
    return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                        "the extension '%s' stands for no format of octrees; these do: oct, df, bt",
                        impi_file_extension(path));
}

// ---- errors

imp_Status impi_octree_refuse(const impi_OctreeReader *reader, imp_Status status, uint64_t offset,
                              const char *format, ...)
{
    char text[IMP_MAX_ERROR_MESSAGE];
    impi_Place place = IMPI_NO_PLACE;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    place.file = reader->name;
    place.byte_offset = offset;
    return impi_fail_at(reader->context, status, place, "%s", text);
}

imp_Status impi_octree_check_read_grid(const impi_OctreeReader *reader, uint64_t offset,
                                       const imp_OctreeGrid *grid)
{
    if (impi_grid_check(reader->context, grid) == IMP_STATUS_OK)
        return IMP_STATUS_OK;
    char text[IMP_MAX_ERROR_MESSAGE];
    snprintf(text, sizeof text, "%s", reader->context->error.message);
    return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset, "%s", text);
}

// ---- reading

static imp_Status read_window(impi_OctreeReader *reader, impi_OctreeFormat format, imp_Octree **octree)
{
    reader->cursor = reader->window.begin;
    if (reader->window.total == 0)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, 0, "the file is empty");
    switch (format) {
    case IMPI_OCTREE_PACKED:
        return impi_read_packed_octree(reader, octree);
    case IMPI_OCTREE_TEXT:
        return impi_read_octree_text(reader, octree);
    case IMPI_OCTREE_OCTOMAP:
        return impi_read_octomap(reader, octree);
    case IMPI_OCTREE_FORMAT_COUNT:
        break;
    }
    return IMP_STATUS_UNSUPPORTED;
}

static imp_Status read_source(impi_FileSource *source, impi_OctreeFormat format, const imp_OctreeLoadDef *def,
                              imp_Octree **octree)
{
    impi_FileBytes bytes;
    impi_OctreeReader reader = {.context = source->context, .name = source->name, .def = def};
    imp_Status status;
    if (!source->has_size) {
        status = impi_file_bytes_read(source, SIZE_MAX, NULL, &bytes);
        if (status != IMP_STATUS_OK)
            return status;
        status = impi_octree_read(source->context, format, bytes.data, bytes.size, source->name, def, octree);
        impi_file_bytes_free(source->context, &bytes);
        return status;
    }
    status = impi_byte_window_open(&reader.window, source);
    if (status != IMP_STATUS_OK)
        return status;
    status = read_window(&reader, format, octree);
    impi_byte_window_free(&reader.window);
    return status;
}

// A grid without a level gets one from the file.
static imp_Status check_def(imp_Context *context, const imp_OctreeLoadDef *def)
{
    imp_OctreeGrid grid = def->grid;
    imp_Status status = IMPI_CHECK_RESERVED(context, def);
    if (grid.voxel == 0)
        grid = (imp_OctreeGrid){{0, 0, 0}, 1, grid.level};
    grid.level = grid.level > 0 ? grid.level : 1;
    return status == IMP_STATUS_OK ? impi_grid_check(context, &grid) : status;
}

imp_Status impi_octree_read(imp_Context *context, impi_OctreeFormat format, const void *bytes, size_t size,
                            const char *name, const imp_OctreeLoadDef *def, imp_Octree **octree)
{
    impi_OctreeReader reader = {.context = context, .name = name, .def = def};
    impi_byte_window_init(&reader.window, context, bytes, size);
    return read_window(&reader, format, octree);
}

imp_Status impi_octree_load(imp_Context *context, const char *path, const imp_OctreeLoadDef *def,
                            imp_Octree **octree)
{
    const imp_OctreeLoadDef defaults = {0};
    uint64_t unknown_count = 0;
    imp_OctreeLoadDef complete = def ? *def : defaults;
    complete.unknown_count = &unknown_count;
    imp_Status status = check_def(context, &complete);
    if (status == IMP_STATUS_OK)
        status = check_format(context, path);
    impi_FileSource source;
    if (status == IMP_STATUS_OK)
        status = impi_file_source_open(context, path, path, &source);
    if (status != IMP_STATUS_OK)
        return status;
    status = read_source(&source, impi_octree_format(path), &complete, octree);
    impi_file_source_close(&source);
    if (status == IMP_STATUS_OK && def && def->unknown_count)
        *def->unknown_count = unknown_count;
    return status;
}

// ---- writing

imp_Status impi_octree_save(imp_Context *context, const imp_Octree *octree, const char *path)
{
    impi_OctreeFormat format = impi_octree_format(path);
    impi_OctoMapPart part = {0};
    impi_AtomicFile file;
    imp_Status status = check_format(context, path);
    if (status == IMP_STATUS_OK && format == IMPI_OCTREE_OCTOMAP)
        status = impi_octomap_place(context, path, octree, &part);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_atomic_file_open(context, path, &file);
    if (status == IMP_STATUS_OK) {
        status = format == IMPI_OCTREE_PACKED ? impi_write_packed_octree(&file, octree)
                 : format == IMPI_OCTREE_TEXT ? impi_write_octree_text(&file, octree)
                                              : impi_write_octomap(&file, &part);
        if (status == IMP_STATUS_OK)
            status = impi_atomic_file_commit(&file);
        else
            impi_atomic_file_abort(&file);
    }
    if (part.octree)
        impi_shape_release(&part.octree->shape);
    return status;
}
