/// Statuses, errors, and the context that every other part of impinge works in.
#ifndef IMPINGE_BASE_H
#define IMPINGE_BASE_H

#include <impinge/version.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define IMP_API __attribute__((visibility("default")))
#else
#define IMP_API
#endif

#if (defined(__cplusplus) && __cplusplus >= 201703L) ||                                                      \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define IMP_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define IMP_NODISCARD __attribute__((warn_unused_result))
#else
#define IMP_NODISCARD
#endif

/// In front of each function that returns a status: compilers warn where nobody looks at it.
#define IMP_CHECKED IMP_NODISCARD IMP_API

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a call. Everything but IMP_STATUS_OK leaves the outputs and the state of every object as
/// they were before the call, except that IMP_STATUS_BUFFER_SHORT comes with the count that is needed.
typedef enum imp_Status {
    IMP_STATUS_OK = 0,
    IMP_STATUS_OUT_OF_MEMORY, ///< the allocator returned null
    IMP_STATUS_BAD_ARGUMENT,  ///< a null pointer, an unknown flag, a value out of its range
    IMP_STATUS_BAD_NUMBER,    ///< a NaN or infinite coordinate, a rotation that is not of unit length
    IMP_STATUS_BAD_INDEX,     ///< an index or id that names nothing
    IMP_STATUS_BAD_SHAPE,     ///< numbers are fine, but the shape they describe is not what is asked for
    IMP_STATUS_BUFFER_SHORT,  ///< the caller's buffer is too short; the count tells the true total
    IMP_STATUS_TOO_LARGE,     ///< more items than a 32-bit index can name, or a file beyond the limit
    IMP_STATUS_BAD_FILE,      ///< the content of a file is malformed
    IMP_STATUS_IO,            ///< the system could not open, read or write a file
    IMP_STATUS_UNSUPPORTED,   ///< this build has no support for what is asked for
    IMP_STATUS_CANCELLED,     ///< somebody asked for an end (imp_Cancel)
    IMP_STATUS_OUT_OF_TIME,   ///< the budget ended before the work did (imp_Watch)
    IMP_STATUS_FORKED,        ///< the context was made before this process was forked from another
} imp_Status;

/// The name of a status, for messages: "out of memory". Never null.
IMP_API const char *imp_status_name(imp_Status status);

/// Where an error has no line, byte offset or index.
#define IMP_NOWHERE UINT64_MAX

#define IMP_MAX_ERROR_MESSAGE 512

/// The last error of a context. `message` is one line of UTF-8 that says what is wrong and where,
/// file, line and index included; the other fields repeat these for programs.
typedef struct imp_Error {
    imp_Status status;
    char message[IMP_MAX_ERROR_MESSAGE];
    char file[IMP_MAX_ERROR_MESSAGE / 2]; ///< empty when no file is involved; cut when longer
    uint64_t line;                        ///< counts from 1; IMP_NOWHERE for binary files
    uint64_t byte_offset;                 ///< counts from 0
    uint64_t index;                       ///< of the vertex, face, box or body that is wrong
} imp_Error;

/// The version of the library that is running, which can differ from the header's IMP_VERSION.
IMP_API const char *imp_version(void);

/// Memory hooks. `allocate` returns storage aligned to 64 bytes, or null; `release` gets the same
/// size back. Both may be called from any thread at any time: tasks and shared meshes use them.
typedef struct imp_Allocator {
    void *(*allocate)(size_t size, void *user);
    void (*release)(void *storage, size_t size, void *user);
    void *user;
} imp_Allocator;

/// One piece of parallel work.
typedef void (*imp_TaskFn)(uint32_t task, void *argument);

/// Task hooks. `run` calls task(0 .. task_count-1, argument), each once, on any threads in any order,
/// and returns when all have returned. Results never depend on how it does that.
typedef struct imp_Executor {
    void (*run)(imp_TaskFn task, void *argument, uint32_t task_count, void *user);
    uint32_t thread_count; ///< how many threads `run` uses; advice on how finely work is cut
    void *user;
} imp_Executor;

/// As a number of threads: as many as can run at the same time. Those are the processors that the calling
/// thread may run on (its affinity), or fewer where the process is in a control group (a container) whose
/// quota of processor time is for fewer, rounded up. On systems other than Linux, the processors that are
/// online.
#define IMP_ALL_CORES   UINT32_MAX
#define IMP_MAX_THREADS 1024

/// What imp_ContextDef.max_file_bytes stands for when it is 0: files that have a size, and what has none (a
/// pipe, a terminal, a file that the system makes up as it is read), which is held in memory as a whole.
#define IMP_DEFAULT_MAX_FILE_BYTES   ((uint64_t)64 << 30)
#define IMP_DEFAULT_MAX_STREAM_BYTES ((uint64_t)1 << 30)

/// Zero fields mean defaults.
typedef struct imp_ContextDef {
    imp_Allocator allocator; ///< both functions or neither; default: the C library's heap
    imp_Executor executor;   ///< default: a built-in pool of `thread_count` threads
    uint32_t thread_count;   ///< 0 is one thread (the caller's), IMP_ALL_CORES as many as can run at once
    /// A call reads no more than this, a scene and the files it names together: IMP_STATUS_TOO_LARGE beyond.
    uint64_t max_file_bytes;
    /// Files that a scene or mesh file names may lie anywhere. Otherwise only beside or below it: no paths
    /// that lead out of its folder, not by links either.
    bool allow_outside_files;
    uint64_t reserved[2]; ///< zero, here and in every def: new fields will come out of these
} imp_ContextDef;

/// Allocator, threads, scratch memory and last error, shared by the objects made in it.
/// One caller at a time; different contexts are independent of each other.
/// In a child that fork has made, a context of the parent can only be destroyed, as can what works in it
/// (worlds, broad phases, queries): every other call fails with IMP_STATUS_FORKED, or says 0 or false, and
/// changes nothing. See docs/threads.md.
typedef struct imp_Context imp_Context;

/// `def` may be null, which means all defaults. IMP_STATUS_BAD_ARGUMENT when only one function of the
/// allocator is given, a reserved field is not zero, or more than IMP_MAX_THREADS threads are asked for,
/// IMP_STATUS_OUT_OF_MEMORY also when the system refuses to start a thread. imp_context_get_error(NULL) tells
/// more.
IMP_CHECKED imp_Status imp_context_create(const imp_ContextDef *def, imp_Context **context);

/// Objects made in a context must be gone before it, except those that are immutable: meshes, polytopes and
/// scenes. Null is fine.
IMP_API void imp_context_destroy(imp_Context *context);

/// The error of the latest call that failed in this context, or one with IMP_STATUS_OK when none has.
/// Never null; owned by the context; a context of another process gives a constant error. Null gives the
/// error of the last imp_context_create of this thread, if that failed, which stays until the thread's next
/// one, otherwise an error that says that the context is null.
IMP_API const imp_Error *imp_context_get_error(const imp_Context *context);

/// How many threads its work is spread over; 0 for a context that is null.
IMP_API uint32_t imp_context_get_thread_count(const imp_Context *context);

#ifdef __cplusplus
}
#endif

#endif
