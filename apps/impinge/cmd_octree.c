#include "octree_job.h"

static const Command *octree_part(size_t index)
{
    static const Command *const parts[] = {&command_octree_build, &command_octree_info, &command_octree_move,
                                           &command_octree_combine, &command_octree_convert};
    return index < sizeof parts / sizeof *parts ? parts[index] : NULL;
}

const Command command_octree = {
    .name = "octree",
    .summary = "exact voxels: build, move and combine octrees",
    .details = "An octree is a cube of voxels, black or white, in which cells of one colour are one cell.\n"
               "Which voxels are black is decided exactly, by rules that you choose.\n",
    .examples = "  impinge octree build bunny.obj -o bunny.oct --level 7\n"
                "  impinge octree info bunny.oct\n"
                "  impinge octree move bunny.oct --pose \"1 0 0\" -o moved.oct\n"
                "  impinge octree combine union bunny.oct moved.oct -o both.oct\n"
                "  impinge octree convert both.oct both.svg\n",
    .part = octree_part,
};
