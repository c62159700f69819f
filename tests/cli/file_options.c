// The options of commands that read files, and files that come as pipes.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

TEST(limits_hold_for_each_command)
{
    static const char *const commands[] = {"info box.obj",       "check box.obj box.obj",
                                           "hull box.obj h.obj", "convert box.obj c.obj",
                                           "pairs boxes.npy",    "run scene.gltf"};
    if (!prepare())
        return;
    CHECK_INT(run("pairs --sample 10 boxes.npy"), 0);
    write_file("scene.gltf", "{\"asset\":{\"version\":\"2.0\"}}      ");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
        char line[256];
        snprintf(line, sizeof line, "%s --max-file-bytes 30", commands[i]);
        check_fails(line, " bytes, and no more than 30 may be read");
    }
    CHECK_INT(run("info box.obj --max-file-bytes 1000000"), 0);
    check_fails("info box.obj --max-file-bytes 0",
                "--max-file-bytes: expected a whole number from 1 to 1000000000000000000, got \"0\"");
    check_fails("info box.obj --max-file-bytes 12x", "got \"12x\"");
    check_fails("info box.obj --max-file-bytes 99999999999999999999999", "expected a whole number");
    check_fails("pairs --sample 10 b.npy --max-file-bytes 10", "--max-file-bytes makes no sense with it");
}

static const char scene[] =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
    "{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
    "\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"../"
    "a.bin\"}]}";

TEST(files_outside_need_leave)
{
    if (!prepare())
        return;
    CHECK(mkdir("folder", 0777) == 0);
    write_file("folder/scene.gltf", scene);
    CHECK(system("head -c 36 /dev/zero >a.bin") == 0);
    check_fails("info folder/scene.gltf",
                "buffer 0: only files in the folder of this one or below are allowed, not '../a.bin'");
    check_fails("run folder/scene.gltf", "only files in the folder of this one or below are allowed");
    CHECK_INT(run("info folder/scene.gltf --outside-files"), 0);
    CHECK_INT(run("run folder/scene.gltf --outside-files"), 0);
}

TEST(pipes_are_read)
{
    if (!prepare())
        return;
    CHECK_INT(run("pairs --sample 1000 boxes.npy"), 0);
    CHECK_INT(run("pairs --count boxes.npy"), 0);
    char count[32];
    snprintf(count, sizeof count, "%.30s", run_state.out);
    CHECK_INT(run("pairs --count /dev/stdin <boxes.npy"), 0);
    CHECK_TEXT(run_state.out, count);
    CHECK(system("cat boxes.npy | \"$IMPINGE_BIN\" pairs --count /dev/stdin >piped.txt") == 0);
    CHECK(read_file("piped.txt", run_state.out));
    CHECK_TEXT(run_state.out, count);
    check_fails("pairs /dev/zero", "/dev/zero: it is a device, not a file");
}
