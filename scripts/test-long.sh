#!/bin/sh
# The large random counts. Prints each program's own report; stops at the first failure.
set -eu
build=$1
run() {
    name=$1
    shift
    echo "== $name $*"
    "$build/tests/$name" "$@"
}
run test-property-orientation --count 10000000
run test-property-triangle_triangle --count 10000000
run test-property-segment_triangle --count 3000000
run test-property-sweep --count 2000000
run test-property-world_rigid_sweep --count 2000
run test-property-world_sweep --count 5000
run test-property-world_sweep_advance --count 5000
run test-property-triangle_box --count 3000000
run test-property-triangle_octants --count 1000000
run test-property-triangle_within --count 1000000
run test-property-triangle_closest --count 1000000
run test-property-point_location --count 1000000
run test-property-self_pairs --count 1000000
run test-property-swept_hull --count 40000
run test-property-sphere_cover --count 550 # 20,000 samples each
run test-property-sphere_protrusion --count 300
run test-unit-octree_sets --count 30000
run test-unit-octree_file --count 20000
run test-property-mesh_round_trip --count 3000
run test-property-window_reading --count 20000
run test-property-pairs_find --count 3000
run test-property-broad_motion --count 2000
run test-property-face_pairs --count 2000
run test-property-pose_boxes --count 3000000
run test-property-worlds --count 1000
run test-property-worlds_convex --count 500
run test-property-first_pair --count 3000
run test-property-octree_cells --count 2000
run test-property-cube_cube --count 200000
run test-property-cube_meeting --count 1000000
run test-property-octree_motion --count 500
run test-unit-paper_octree_motion --count 500 # Weng & Ahuja's
run test-property-octree_sets --count 10000
run test-property-octree_files --count 3000
if [ -x "$build/tests/test-octomap-files" ]; then # where OctoMap is installed
    run test-octomap-files --count 3000
fi
run test-unit-octree_oracle --count 1000
run test-property-rank_pairs --count 20000
run test-property-rank_worlds --count 4000
run test-unit-rank_pairs --count 20000
run test-unit-pair_assignment --count 20000
run test-property-lucchesi_messages --count 2000
run test-property-face_limit --count 1000
run test-property-worlds_at_rest --count 3000
run test-property-margin --count 30000
run test-property-motion_interval --count 10000
run test-property-budget --count 10000
run test-property-sphere_refine --count 100000
run test-property-sphere_inside --count 20000
run test-property-methods --count 600
run test-property-convex_test --count 640000 # eight tests each
run test-property-convex_distance --count 100000
run test-property-mesh_distance --count 3000
run test-property-distance_alike --count 2000
run test-property-large_distances --count 500
run test-property-clearance --count 300
run test-property-clearance_at_rest --count 500
run test-property-configurations --count 10000 --only robots_are_as_when_stepped
run test-property-configurations --count 10000 --only cells_are_as_when_stepped
run test-property-configurations --count 1000 --only crowds_are_as_when_stepped
run test-property-pair_filter --count 5000
run test-property-advancement --count 200 # 10,000 distances along each way
run test-unit-rigid_path --count 10000000
run test-unit-triangle_distance --count 100000 # eight pairs each
run test-property-hull --count 100000
run test-property-triangle_meeting --count 300000
run test-property-contacts --count 10000
run test-property-point_distance --count 1000000
run test-property-surface_field --count 100000
run test-unit-sweep_oracle --count 10000
run test-property-exponents --count 1000
run test-property-exponents_worlds --count 500
run test-chaos --seconds 3600
