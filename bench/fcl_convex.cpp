// FCL's own GJK, with the guess that it keeps from test to test and without the penetration depth that its
// solver computes for bodies that collide; and its solver that calls libccd's MPR.
#include "convex_peers.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

namespace
{

typedef fcl::Convex<double> Hull;

struct State {
    std::vector<std::unique_ptr<Hull>> hulls;
    std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> transforms;
    std::vector<fcl::Vector3d> guesses; // by pair
};

const fcl::Vector3d NO_GUESS(1, 0, 0);

std::unique_ptr<Hull> make_hull(const ConvexBody &body)
{
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (size_t i = 0; i < body.vertex_count; ++i)
        vertices->emplace_back(body.vertices[i].x, body.vertices[i].y, body.vertices[i].z);
    for (size_t i = 0; i < body.triangle_count; ++i) {
        faces->push_back(3);
        faces->insert(faces->end(), body.indices + 3 * i, body.indices + 3 * i + 3);
    }
    return std::unique_ptr<Hull>(new Hull(vertices, int(body.triangle_count), faces));
}

void *open_bodies(const ConvexBody *bodies, size_t count)
{
    State *state = new State;
    for (size_t i = 0; i < count; ++i)
        state->hulls.push_back(make_hull(bodies[i]));
    state->transforms.resize(count);
    state->guesses.resize(count * count, NO_GUESS);
    return state;
}

void close_bodies(void *state)
{
    delete static_cast<State *>(state);
}

void pose(void *argument, const imp_Pose *, const imp_Transform *transforms)
{
    State *state = static_cast<State *>(argument);
    for (size_t i = 0; i < state->hulls.size(); ++i) {
        const imp_Transform &t = transforms[i];
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column)
                state->transforms[i].linear()(row, column) = t.rows[row][column];
        state->transforms[i].translation() = fcl::Vector3d(t.translation.x, t.translation.y, t.translation.z);
    }
}

void forget(void *argument, imp_IndexPair pair)
{
    State *state = static_cast<State *>(argument);
    state->guesses[convex_pair_slot(pair, state->hulls.size())] = NO_GUESS;
}

const int MAX_ITERATIONS = 500;
const double TOLERANCE = 1e-9;

void test_indep(void *argument, const imp_IndexPair *pairs, size_t count, bool *touch)
{
    State *state = static_cast<State *>(argument);
    for (size_t i = 0; i < count; ++i) {
        const fcl::Transform3d &a = state->transforms[pairs[i].a], &b = state->transforms[pairs[i].b];
        fcl::Vector3d &guess = state->guesses[convex_pair_slot(pairs[i], state->hulls.size())];
        fcl::detail::MinkowskiDiff<double> difference;
        difference.shapes[0] = state->hulls[pairs[i].a].get();
        difference.shapes[1] = state->hulls[pairs[i].b].get();
        difference.toshape1.noalias() = b.linear().transpose() * a.linear();
        difference.toshape0 = a.inverse(Eigen::Isometry) * b;
        fcl::detail::GJK<double> gjk(MAX_ITERATIONS, TOLERANCE);
        touch[i] = gjk.evaluate(difference, -guess) == fcl::detail::GJK<double>::Inside;
        guess = gjk.getGuessFromSimplex();
    }
}

void test_libccd(void *argument, const imp_IndexPair *pairs, size_t count, bool *touch)
{
    State *state = static_cast<State *>(argument);
    fcl::detail::GJKSolver_libccd<double> solver;
    solver.max_collision_iterations = MAX_ITERATIONS;
    solver.collision_tolerance = TOLERANCE;
    for (size_t i = 0; i < count; ++i)
        touch[i] = solver.shapeIntersect(*state->hulls[pairs[i].a], state->transforms[pairs[i].a],
                                         *state->hulls[pairs[i].b], state->transforms[pairs[i].b],
                                         static_cast<std::vector<fcl::ContactPointd> *>(nullptr));
}

} // namespace

extern "C" const ConvexPeer fcl_indep_convex = {"fcl-indep", open_bodies, close_bodies,
                                                pose,        forget,      test_indep};
extern "C" const ConvexPeer fcl_libccd_convex = {"fcl-libccd", open_bodies, close_bodies,
                                                 pose,         forget,      test_libccd};
