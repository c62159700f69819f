/// All of impinge.
#ifndef IMPINGE_IMPINGE_H
#define IMPINGE_IMPINGE_H

#include <impinge/base.h>
#include <impinge/broad.h>
#include <impinge/cancel.h>
#include <impinge/clearance.h>
#include <impinge/configurations.h>
#include <impinge/contact.h>
#include <impinge/convex.h>
#include <impinge/distance.h>
#include <impinge/io.h>
#include <impinge/math.h>
#include <impinge/mesh.h>
#include <impinge/octree.h>
#include <impinge/query.h>
#include <impinge/relation.h>
#include <impinge/scene.h>
#include <impinge/spheres.h>
#include <impinge/sweep.h>
#include <impinge/watch.h>
#include <impinge/world.h>
#include <impinge/world_sweep.h>

#endif
