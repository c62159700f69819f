/// Functions of libraries that are opened at run time.
#ifndef IMPINGE_BASE_LIBRARY_FUNCTION_H
#define IMPINGE_BASE_LIBRARY_FUNCTION_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/// Look a name up in an open library. `function` points to a function pointer. ISO C has no conversion from
/// object to function pointers; POSIX says that their bits are the same.
static inline bool impi_library_function(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

#endif
