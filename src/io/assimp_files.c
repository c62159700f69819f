#ifdef IMPINGE_ASSIMP_SONAME

#include "io/assimp_files.h"

#include "io/sibling_file.h"

#include <string.h>

typedef struct OpenFile {
    C_STRUCT aiFile file;
    impi_AssimpFiles *files;
    impi_FileSource source;
    char name[]; // for errors
} OpenFile;

static OpenFile *open_file_of(C_STRUCT aiFile *file)
{
    return (OpenFile *)file->UserData;
}

static void note(impi_AssimpFiles *files, imp_Status status)
{
    if (files->status == IMP_STATUS_OK)
        files->status = status;
}

static size_t read_items(C_STRUCT aiFile *file, char *bytes, size_t size, size_t count)
{
    OpenFile *open_file = open_file_of(file);
    size_t got = 0;
    if (size == 0 || count > SIZE_MAX / size || open_file->files->status != IMP_STATUS_OK)
        return 0;
    imp_Status status = impi_file_source_read(&open_file->source, bytes, size * count, &got);
    note(open_file->files, status);
    return status == IMP_STATUS_OK ? got / size : 0;
}

static size_t write_nothing(C_STRUCT aiFile *file, const char *bytes, size_t size, size_t count)
{
    (void)file;
    (void)bytes;
    (void)size;
    (void)count;
    return 0;
}

static void flush_nothing(C_STRUCT aiFile *file)
{
    (void)file;
}

static size_t tell_position(C_STRUCT aiFile *file)
{
    return (size_t)open_file_of(file)->source.position;
}

static size_t tell_size(C_STRUCT aiFile *file)
{
    return (size_t)open_file_of(file)->source.size;
}

static C_ENUM aiReturn seek(C_STRUCT aiFile *file, size_t offset, C_ENUM aiOrigin origin)
{
    impi_FileSource *source = &open_file_of(file)->source;
    uint64_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? source->position : source->size;
    uint64_t position = base + offset; // wraps round for what is negative
    if (position > source->size)
        return aiReturn_FAILURE;
    source->position = position;
    return aiReturn_SUCCESS;
}

// The mesh itself, or a file that it names, which assimp puts behind the folder of the mesh.
static int open_descriptor(const impi_AssimpFiles *files, const char *name)
{
    const char *slash = strrchr(files->path, '/');
    size_t folder_length = slash ? (size_t)(slash - files->path) + 1 : 0;
    impi_SiblingResult result;
    if (strncmp(name, files->path, folder_length) == 0)
        name += folder_length;
    bool allow_outside =
        files->context->allow_outside_files || strcmp(name, files->path + folder_length) == 0;
    return impi_sibling_open(files->path, name, allow_outside, &result);
}

static C_STRUCT aiFile *open_file(C_STRUCT aiFileIO *io, const char *name, const char *mode)
{
    impi_AssimpFiles *files = (impi_AssimpFiles *)io->UserData;
    size_t name_size = strlen(name) + 1;
    int descriptor = mode[0] == 'r' && files->status == IMP_STATUS_OK ? open_descriptor(files, name) : -1;
    if (descriptor < 0)
        return NULL;
    impi_FileSource source;
    imp_Status status = impi_file_source_adopt(files->context, name, descriptor, &source);
    if (status != IMP_STATUS_OK) {
        note(files, status);
        return NULL;
    }
    OpenFile *made = impi_allocate(&files->context->allocator, sizeof *made + name_size);
    if (!made) {
        impi_file_source_close(&source);
        note(files, impi_fail_out_of_memory(files->context));
        return NULL;
    }
    made->file = (C_STRUCT aiFile){read_items, write_nothing, tell_position,   tell_size,
                                   seek,       flush_nothing, (aiUserData)made};
    made->files = files;
    made->source = source;
    made->source.name = memcpy(made->name, name, name_size);
    return &made->file;
}

static void close_file(C_STRUCT aiFileIO *io, C_STRUCT aiFile *file)
{
    impi_AssimpFiles *files = (impi_AssimpFiles *)io->UserData;
    OpenFile *closed = file ? open_file_of(file) : NULL;
    if (!closed)
        return;
    impi_file_source_close(&closed->source);
    impi_release(&files->context->allocator, closed, sizeof *closed + strlen(closed->name) + 1);
}

void impi_assimp_files_init(impi_AssimpFiles *files, imp_Context *context, const char *path)
{
    *files = (impi_AssimpFiles){
        .io = {open_file, close_file, (aiUserData)files}, .context = context, .path = path};
}

#else

typedef int impi_AssimpFilesAreLeftOut; // an empty file is none of C's

#endif
