// A node with a matrix whose columns are subnormal was placed by a rotation that was not a number, so that
// its body could not be sampled.
#include "scene_fixture.h"

#include <math.h>

TEST(matrices_of_any_size_are_taken_apart)
{
    static const int exponents[] = {-1074, -1060, -1030, -1000, 0, 1000, 1022};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i) {
        double s = ldexp(1, exponents[i]);
        GltfFile *file = gltf_new();
        int mesh = gltf_tetrahedron(file);
        gltf_node(file, true, "\"mesh\":%d,\"matrix\":[%.17g,%.17g,0,0,%.17g,%.17g,0,0,0,0,%.17g,0,0,0,0,1]",
                  mesh, s, s, -s, s, s);
        SceneFixture f = scene_load(file, "a.gltf");
        imp_Vec3 world[MAX_SCENE_VERTICES];
        scene_world_vertices(f.scene, 0, 0, world);
        CHECK(fabs(ldexp(world[1].x, -exponents[i]) - 1) < 1e-15 &&
              fabs(ldexp(world[1].y, -exponents[i]) - 1) < 1e-15);
        CHECK(fabs(ldexp(world[2].x, -exponents[i]) + 1) < 1e-15 &&
              fabs(ldexp(world[3].z, -exponents[i]) - 1) < 1e-15);
        scene_close(&f);
    }
}
