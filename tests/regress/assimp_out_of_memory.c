// When assimp ran out of memory, the file was said to be bad.
#include "io/assimp_library.h"
#include "mesh_files.h"
#include "sanitizers.h"

#include <sys/resource.h>
#include <sys/wait.h>

#define VERTEX_COUNT 300000

static void save_large_collada(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL))
        return;
    fprintf(file,
            "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
            "version=\"1.4.1\"><asset/><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
            "<float_array id=\"a\" count=\"%d\">",
            3 * VERTEX_COUNT);
    for (int i = 0; i < 3 * VERTEX_COUNT; ++i)
        fprintf(file, "%d ", i % 10);
    fprintf(file,
            "</float_array><technique_common><accessor source=\"#a\" count=\"%d\" stride=\"3\">"
            "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
            "type=\"float\"/>"
            "</accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "
            "source=\"#p\"/>"
            "</vertices><triangles count=\"%d\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>",
            VERTEX_COUNT, VERTEX_COUNT / 3);
    for (int i = 0; i < VERTEX_COUNT; ++i)
        fprintf(file, "%d ", i);
    fprintf(file,
            "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
            "<visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene>"
            "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>");
    CHECK(fclose(file) == 0);
}

static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

// In a process with so much room left: its exit status is the status of loading, or 100 and more.
static int load_within(const char *path, size_t room)
{
    pid_t child = fork();
    int result = 0;
    if (child == 0) {
        impi_AssimpLibrary library;
        imp_Context *context = NULL;
        imp_Mesh *mesh = NULL;
        if (!impi_assimp_library_open(&library) || imp_context_create(NULL, &context) != IMP_STATUS_OK)
            _exit(100);
        struct rlimit limit = {address_space() + room, RLIM_INFINITY};
        if (setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(101);
        imp_Status status = imp_mesh_load(context, path, &mesh);
        const char *message = imp_context_get_error(context)->message;
        if (status == IMP_STATUS_BAD_FILE && !strstr(message, "assimp can't read it: "))
            _exit(102);
        _exit((int)status);
    }
    return child > 0 && waitpid(child, &result, 0) == child && WIFEXITED(result) ? WEXITSTATUS(result) : 200;
}

// Where assimp tells, it is out of memory. Some of its parts take that for a mistake in the file, and then
// the message says who says so.
TEST(assimp_without_memory)
{
#ifdef TEST_UNDER_SANITIZER
    bool can_be_limited = false; // the sanitizers need more address space
#else
    bool can_be_limited = true;
#endif
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    impi_AssimpLibrary library;
    int short_count = 0, read_count = 0;
    if (!can_be_limited || !impi_assimp_library_open(&library)) {
        test_skip("assimp is not installed, or a sanitizer needs the address space");
        return;
    }
    make_folder(folder);
    snprintf(path, sizeof path, "%s/a.dae", folder);
    save_large_collada(path);
    for (size_t room = 4; room <= 256; room += room < 64 ? 4 : 64) {
        int status = load_within(path, room << 20);
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY || status == IMP_STATUS_BAD_FILE);
        short_count += status == IMP_STATUS_OUT_OF_MEMORY;
        read_count += status == IMP_STATUS_OK;
    }
    CHECK(short_count >= 3 && read_count >= 1);
    remove_folder(folder);
}
