// Bullet in two ways, both on its btConvexHullShape without margin, both down to the verdict and no further:
// GJK from its header btComputeGjkEpaPenetration.h, which is the method of its btGjkPairDetector, but takes
// the direction to start with from its caller, and here gets the one that parted the bodies last; and MPR
// from btMprPenetration.h.
#include "convex_peers.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btComputeGjkEpaPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btMprPenetration.h>

#include <memory>
#include <vector>

namespace
{

// Bullet's templates want their bodies like this.
struct Posed {
    const btConvexHullShape *shape;
    btTransform transform;
    mutable btVector3 last_direction; // in the body's frame

    const btTransform &getWorldTransform() const
    {
        return transform;
    }
    const btVector3 &getObjectCenterInWorld() const
    {
        return transform.getOrigin();
    }
    btScalar getMargin() const
    {
        return 0;
    }
    btVector3 getLocalSupportWithMargin(const btVector3 &d) const
    {
        return shape->btConvexHullShape::localGetSupportingVertexWithoutMargin(d);
    }
    btVector3 getLocalSupportWithoutMargin(const btVector3 &d) const
    {
        last_direction = d;
        return shape->btConvexHullShape::localGetSupportingVertexWithoutMargin(d);
    }
};

struct State {
    std::vector<std::unique_ptr<btConvexHullShape>> shapes;
    btAlignedObjectArray<Posed> bodies;
    btAlignedObjectArray<btVector3> directions; // by pair
    btVoronoiSimplexSolver simplex;
};

const btVector3 NO_DIRECTION(0, 1, 0);

void *open_bodies(const ConvexBody *bodies, size_t count)
{
    State *state = new State;
    for (size_t i = 0; i < count; ++i) {
        auto shape = new btConvexHullShape;
        for (size_t k = 0; k < bodies[i].vertex_count; ++k)
            shape->addPoint(btVector3(btScalar(bodies[i].vertices[k].x), btScalar(bodies[i].vertices[k].y),
                                      btScalar(bodies[i].vertices[k].z)),
                            false);
        shape->setMargin(0);
        shape->recalcLocalAabb();
        state->shapes.emplace_back(shape);
        state->bodies.push_back({shape, btTransform::getIdentity(), NO_DIRECTION});
    }
    state->directions.resize(int(count * count), NO_DIRECTION);
    return state;
}

void close_bodies(void *state)
{
    delete static_cast<State *>(state);
}

void pose(void *argument, const imp_Pose *, const imp_Transform *transforms)
{
    State *state = static_cast<State *>(argument);
    for (int i = 0; i < state->bodies.size(); ++i) {
        const imp_Transform &t = transforms[i];
        btMatrix3x3 basis;
        for (int row = 0; row < 3; ++row)
            basis[row].setValue(btScalar(t.rows[row][0]), btScalar(t.rows[row][1]), btScalar(t.rows[row][2]));
        state->bodies[i].transform =
            btTransform(basis, btVector3(btScalar(t.translation.x), btScalar(t.translation.y),
                                         btScalar(t.translation.z)));
    }
}

void forget(void *argument, imp_IndexPair pair)
{
    State *state = static_cast<State *>(argument);
    const btVector3 from = state->bodies[int(pair.a)].transform.getOrigin();
    const btVector3 to = state->bodies[int(pair.b)].transform.getOrigin();
    btVector3 apart = from - to;
    state->directions[int(convex_pair_slot(pair, size_t(state->bodies.size())))] =
        apart.length2() > 0 ? apart.normalized() : NO_DIRECTION;
}

} // namespace

// Bodies that collide: the verdict is enough.
template <>
bool btGjkEpaCalcPenDepth<Posed>(const Posed &, const Posed &, const btGjkCollisionDescription &, btVector3 &,
                                 btVector3 &, btVector3 &)
{
    return false;
}

namespace
{

void test_gjk(void *argument, const imp_IndexPair *pairs, size_t count, bool *touch)
{
    State *state = static_cast<State *>(argument);
    btGjkCollisionDescription description;
    description.m_maximumDistanceSquared = 0;
    description.m_gjkRelError2 = btScalar(1e-10);
    for (size_t i = 0; i < count; ++i) {
        const Posed &a = state->bodies[int(pairs[i].a)], &b = state->bodies[int(pairs[i].b)];
        btVector3 &direction =
            state->directions[int(convex_pair_slot(pairs[i], size_t(state->bodies.size())))];
        btMprDistanceInfo unused;
        description.m_firstDir = direction;
        // -1: it has found a direction that parts them.
        touch[i] = btComputeGjkEpaPenetration(a, b, description, state->simplex, &unused) != -1;
        if (!touch[i])
            direction = (a.transform.getBasis() * -a.last_direction).normalized();
    }
}

void test_mpr(void *argument, const imp_IndexPair *pairs, size_t count, bool *touch)
{
    State *state = static_cast<State *>(argument);
    btMprCollisionDescription description;
    for (size_t i = 0; i < count; ++i) {
        const Posed &a = state->bodies[int(pairs[i].a)], &b = state->bodies[int(pairs[i].b)];
        btMprSimplex_t portal;
        int found = btDiscoverPortal(a, b, description, &portal);
        touch[i] = found > 0 || (found == 0 && btRefinePortal(a, b, description, &portal) == 0);
    }
}

} // namespace

extern "C" const ConvexPeer bullet_convex = {"bullet", open_bodies, close_bodies, pose, forget, test_gjk};
extern "C" const ConvexPeer bullet_mpr_convex = {"bullet-mpr", open_bodies, close_bodies,
                                                 pose,         forget,      test_mpr};
