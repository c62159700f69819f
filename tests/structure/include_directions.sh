#!/bin/sh
# Includes flow one way: base -> geom -> shape -> broad, object, feature -> world -> io -> kit -> playback -> cluster
# -> mpi -> apps.
# The table says whose headers each room may include beside its own; <impinge/...> is open to all. Before it
# looks at the project, the script shows that it finds what is wrong in a small tree.
#   include_directions.sh SOURCE
set -eu
export LC_ALL=C

# room: rooms, and single headers with the reason why these and no others.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/table" <<'END'
base:
geom: base
shape: base geom
broad: base geom shape
object: base geom shape
# swept hulls are solids, and told apart as those are
feature: base geom shape object/convex_distance.h
world: base geom shape broad object feature
io: base geom shape broad object feature world
# ranks search with the octree of one machine, and bound bodies as one world does
cluster: base broad object/body.h shape/mesh.h
mpi: base cluster
# arithmetic of vectors is inline and knows nothing of the core
kit: base io geom/vector.h
# rules, poses and tables of them are read from files; words to suggest; arithmetic again
playback: base io/decimal.h io/file_bytes.h io/text_buffer.h geom/quaternion.h kit/csv_reader.h kit/nearest_name.h
# what ranks do together is printed by the command's parts
apps: kit playback scenes cluster/cluster.h cluster/rank_world.h cluster/same_input.h
# programs of their own beside the command, made of its parts: their ranks talk
impinge-mpi: kit playback scenes cluster/cluster.h cluster/rank_pairs.h mpi/mpi_exchange.h mpi/mpi_machine.h
# arithmetic again: motions are the same bits as the library's own rotations
scenes: geom/vector.h geom/quaternion.h
# papers' own methods, rebuilt from parts of the core: arrays, threads, the heap for texts, arithmetic of vectors and
# poses; polytopes, hulls and edges for Chung & Wang's hierarchy and their convex test; drafts of sphere trees, distances
# from surfaces and protrusions for Hubbard's policies of coverage; what faces do to boxes and to each other, and swept
# hulls, for Smith & Kitamura's swept faces; grids, moved cubes and motions of listed cubes, for octrees that move; libccd
# and the crowd as the benchmarks have them, and their program on two ranks of MPI; ranks and their exchange, for the
# paper's master and slaves beside ours
experiments: scenes kit cluster base/array.h base/clock.h base/context.h base/float_guard.h base/memory.h base/scratch_call.h feature/swept_hull.h geom/cube_cube.h geom/cube_steps.h geom/pose.h geom/predicates.h geom/scalar.h geom/touch.h geom/triangle_octants.h geom/vector.h shape/convex.h shape/hull.h shape/hull_simplex.h shape/mesh.h shape/mesh_topology.h shape/octree.h shape/octree_move.h shape/qhull.h shape/sphere_draft.h shape/sphere_protrusion.h shape/surface_field.h bench/convex_peers.h bench/crowd_curve.h bench/ranks_program.h
END

# One line for each include that is wrong, then how many were looked at.
check() {
    (cd "$1" && find src apps scenes experiments include -name '*.[ch]' 2>/dev/null | sort |
        xargs grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' /dev/null) |
        awk -v table="$work/table" -v tree="$1" '
        BEGIN {
            while ((getline line <table) > 0) {
                if (line ~ /^#/) continue
                split(line, parts, ":")
                known[parts[1]] = 1
                count = split(parts[2], others, " ")
                allowed[parts[1], parts[1]] = 1
                for (i = 1; i <= count; ++i) allowed[parts[1], others[i]] = 1
            }
        }
        {
            colon = index($0, ":")
            file = substr($0, 1, colon - 1)
            quoted = $0 ~ /include[[:space:]]*"/
            header = substr($0, colon + 1)
            sub(/^[^"<]*["<]/, "", header)
            sub(/[">].*/, "", header)
            split(file, folders, "/")
            room = folders[1] == "src" || folders[2] == "impinge-mpi" ? folders[2] : folders[1]
            slash = index(header, "/")
            other = slash ? substr(header, 1, slash - 1) : ""
            ++checked
            if (room == "include") {
                if (quoted) print file ": public headers include with <impinge/...> only, not " header
            } else if (!(room in known)) {
                print file ": src/" room " is no room of the design"
            } else if (!slash) {
                folder = file
                sub(/[^\/]*$/, "", folder)
                if (quoted && (getline line <(tree "/" folder header)) < 0 &&
                    (room != "impinge-mpi" || (getline line <(tree "/apps/impinge/" header)) < 0))
                    print file ": includes " header ", which is not beside it"
            } else if ((quoted || other in known) && !((room, other) in allowed || (room, header) in allowed)) {
                print file ": " room " may not include " header
            }
        }
        END { print checked + 0 }'
}

# What the small tree holds: a file, an include, and whether it is right.
small_tree() {
    while read -r file include verdict; do
        mkdir -p "$work/$(dirname "$file")"
        echo "#include $include" >>"$work/$file"
        [ "$verdict" = right ] || echo "$file" >>"$work/wrong"
    done <<'END'
src/base/array.c "base/array.h" right
src/base/clock.c "geom/vector.h" wrong
src/broad/pairs.c "base/array.h" right
src/broad/boxes.c "object/simplex.h" wrong
src/kit/picture.c "io/atomic_file.h" right
src/kit/table.c "playback/history.h" wrong
src/kit/page.c "world/world.h" wrong
src/playback/motion.c "base/status.h" right
src/playback/frames.c <base/status.h> right
src/playback/still.c "io/scene.h" wrong
src/playback/table.c "kit/csv_reader.h" right
src/playback/view.c "kit/picture.h" wrong
src/cellar/wine.c "base/array.h" wrong
apps/impinge/main.c "options.h" right
apps/impinge/options.h <stdio.h> right
apps/impinge/run.c "scenes/motions.h" right
apps/impinge/check.c "io/decimal.h" wrong
apps/impinge/hull.c <base/memory.h> wrong
apps/impinge/info.c "progress.h" wrong
apps/impinge-mpi/pairs.c "options.h" right
apps/impinge-mpi/ranks.c "mpi/mpi_exchange.h" right
apps/impinge-mpi/input.c "progress.h" wrong
apps/impinge-mpi/search.c "cluster/halo.h" wrong
apps/impinge/launch.c "mpi/mpi_exchange.h" wrong
scenes/path.c "geom/vector.h" right
scenes/builder.c "base/context.h" wrong
experiments/figure.c "kit/text.h" right
experiments/claims.c "world/world.h" wrong
include/impinge/mesh.h <impinge/math.h> right
include/impinge/world.h "impinge/mesh.h" wrong
END
}

small_tree
check "$work" | sed '$d; s/:.*//' | sort >"$work/found"
if ! sort "$work/wrong" | diff - "$work/found"; then
    echo "< is wrong in the small tree and was not found, > was found and is right"
    exit 1
fi

check "$1" >"$work/result"
sed '$d' "$work/result"
checked=$(sed -n '$p' "$work/result")
echo "$checked includes checked"
[ "$(wc -l <"$work/result")" -eq 1 ] && [ "$checked" -gt 1000 ]
