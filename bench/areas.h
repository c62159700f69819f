/// The areas of impinge-bench: the one table that the help, --list, --only and `make bench` read.
#ifndef IMPINGE_BENCH_AREAS_H
#define IMPINGE_BENCH_AREAS_H

/// A row each: name, what is measured, and the systems that may take part, ours first. Area NAME is run by
/// the function bench_NAME, which stands in NAME.c.
#define BENCH_AREAS(AREA)                                                                                    \
    AREA(triangles, "exact triangle-triangle tests beside CGAL and a plain double test",                     \
         "impinge,impinge-single,plain-double,cgal-do-intersect")                                            \
    AREA(sort, "radix sort of packed 64-bit keys beside qsort", "impinge,qsort")                             \
    AREA(io, "readers of mesh and scene files beside assimp", "impinge,assimp")                              \
    AREA(mesh, "touching faces of two meshes, and of a crowd, beside FCL, CGAL, Embree and ODE",             \
         "impinge,fcl-aabb,fcl-obb,fcl-obbrss,cgal-aabb,embree-collide,ode-trimesh")                         \
    AREA(distance, "how far apart two meshes are, and what comes near in a crowd, beside FCL and CGAL",      \
         "impinge,impinge-detect,fcl-rss,fcl-obbrss,fcl-rss-last,fcl-obbrss-last,fcl-convex,cgal-vertices")  \
    AREA(sweep, "when moving features and meshes first touch, beside a plain cubic solver and FCL",          \
         "impinge,impinge-detect,plain-cubic,fcl-rss,fcl-obbrss,fcl-distance")                               \
    AREA(configurations, "which of 10,000 configurations of robots are free, beside FCL",                    \
         "impinge,impinge-detect,fcl-obbrss")                                                                \
    AREA(broad, "all pairs of boxes beside Embree, FCL, CGAL, Bullet and ODE",                               \
         "impinge,embree,embree-refit,fcl-aabb,cgal-box-d,bullet-dbvt,ode-sap")                              \
    AREA(ranks, "all pairs of boxes spread over two processes of MPI beside two threads of one",             \
         "impinge,impinge-ranks")                                                                            \
    AREA(convex, "do convex polytopes touch, beside libccd, FCL and Bullet",                                 \
         "impinge,libccd-gjk,libccd-mpr,fcl-indep,fcl-libccd,bullet,bullet-mpr")                             \
    AREA(budget, "how long detects with a budget take beyond it, and how far they come",                     \
         "impinge,impinge-spheres,impinge-round-robin")                                                      \
    AREA(spheres, "trees of spheres: how far they stick out, and how long they take to make and to prove",   \
         "impinge,impinge-octree,impinge-medial")                                                            \
    AREA(octree, "octrees of meshes beside CGAL; moving them beside the papers' methods",                    \
         "impinge,impinge-paper,impinge-translate,weng-ahuja,cgal")                                          \
    AREA(world, "detects in worlds where few bodies move, or many small ones", "impinge")

#endif
