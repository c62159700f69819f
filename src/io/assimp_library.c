#include "io/assimp_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#ifdef IMPINGE_ASSIMP_SONAME

// ISO C has no conversion from object to function pointers; POSIX says that their bits are the same.
static bool find_function(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

bool impi_assimp_library_open(impi_AssimpLibrary *library)
{
    // Opened once more for each use and never closed: the loader counts, and a library of C++ with state of
    // its own does not always survive being unloaded.
    void *handle = dlopen(IMPINGE_ASSIMP_SONAME, RTLD_NOW | RTLD_LOCAL);
    return handle && find_function(handle, "aiImportFile", &library->import_file) &&
           find_function(handle, "aiReleaseImport", &library->release_import) &&
           find_function(handle, "aiGetErrorString", &library->get_error_string) &&
           find_function(handle, "aiIsExtensionSupported", &library->is_extension_supported);
}

#else

bool impi_assimp_library_open(impi_AssimpLibrary *library)
{
    (void)library;
    return false;
}

#endif
