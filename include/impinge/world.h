/// Worlds of bodies: which of them touch, with which faces, and what has changed since the last time.
///
/// A world belongs to one caller at a time, like the context it was made in; different worlds of different
/// contexts are independent. Every function that fails leaves the world as it was.
#ifndef IMPINGE_WORLD_H
#define IMPINGE_WORLD_H

#include <impinge/cancel.h>
#include <impinge/contact.h>
#include <impinge/convex.h>
#include <impinge/relation.h>
#include <impinge/spheres.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct imp_World imp_World;

typedef struct imp_WorldDef {
    uint32_t expected_body_count; ///< advice; 0 is fine
    uint64_t reserved[4];         ///< zero
} imp_WorldDef;

/// `def` may be null, which means all defaults.
IMP_CHECKED imp_Status imp_world_create(imp_Context *context, const imp_WorldDef *def, imp_World **world);

/// Null is fine. References to meshes and polytopes are given back.
IMP_API void imp_world_destroy(imp_World *world);

/// A body is a mesh, which is a surface, or a convex polytope, which is a solid: one of both is set, the body
/// holds a reference to it. Two bodies are never compared when one's categories meet what the other ignores,
/// or when both are of the same group.
typedef struct imp_BodyDef {
    imp_Mesh *mesh;
    imp_Convex *convex;
    imp_Pose pose; ///< all zero is the identity
    uint64_t category_bits;
    uint64_t ignore_bits; ///< 0 ignores nothing
    uint32_t group;       ///< 0 is none
    void *user_data;
    imp_SphereTree *spheres; ///< of its mesh, for detects with a budget; retained; null: none
    double importance;       ///< what errors of its pairs count for in the order of refining; 0 is 1
    uint64_t reserved[2];    ///< zero
} imp_BodyDef;

/// Refused: no mesh and no polytope, or both; a sphere tree of another mesh (that of a polytope is what
/// imp_convex_get_mesh gives); an importance that is negative or not finite (IMP_STATUS_BAD_ARGUMENT); a pose
/// that is not finite or whose rotation is not of unit length, or that moves a vertex beyond the largest
/// double (IMP_STATUS_BAD_NUMBER).
IMP_CHECKED imp_Status imp_world_add_body(imp_World *world, const imp_BodyDef *def, imp_BodyId *body);

/// IMP_STATUS_BAD_INDEX when there is no such body (any more), here and below.
IMP_CHECKED imp_Status imp_world_remove_body(imp_World *world, imp_BodyId body);

IMP_API size_t imp_world_get_body_count(const imp_World *world);
IMP_API bool imp_body_is_valid(const imp_World *world, imp_BodyId body);

/// Rigid motion. Checked like the pose of imp_BodyDef. A pose of the same numbers leaves the body at rest.
IMP_CHECKED imp_Status imp_body_set_pose(imp_World *world, imp_BodyId body, imp_Pose pose);
IMP_CHECKED imp_Status imp_body_get_pose(const imp_World *world, imp_BodyId body, imp_Pose *pose);

/// The same for many bodies. All or none: IMP_STATUS_BAD_INDEX and IMP_STATUS_BAD_NUMBER come with the index
/// in these arrays. A body that is listed twice gets the last of its poses.
IMP_CHECKED imp_Status imp_world_set_poses(imp_World *world, const imp_BodyId *bodies, const imp_Pose *poses,
                                           size_t count);

/// Deformation: `count` vertices (x, y, z each) in the body's frame replace those of its mesh, for this body
/// alone; copied. IMP_STATUS_BAD_ARGUMENT when the count is not the mesh's, IMP_STATUS_BAD_NUMBER with the
/// index when a coordinate is not finite. Null with a count of 0 goes back to the mesh's own vertices. A
/// convex body can't be deformed (IMP_STATUS_BAD_SHAPE).
IMP_CHECKED imp_Status imp_body_set_vertices(imp_World *world, imp_BodyId body, const double *vertices,
                                             size_t count);

/// The pairs of faces of one body that share more than their common vertices and edges, as its vertices are
/// now, in the body's frame. Buffers and pairs are those of imp_mesh_self_pairs; a body that is not deformed
/// has those of its mesh, a convex one those of its surface. The context's watch can end it. The report of
/// the world stays.
IMP_CHECKED imp_Status imp_body_self_pairs(imp_World *world, imp_BodyId body, imp_FacePair *pairs,
                                           size_t capacity, size_t *count);

IMP_CHECKED imp_Status imp_body_set_filter(imp_World *world, imp_BodyId body, uint64_t category_bits,
                                           uint64_t ignore_bits);
IMP_CHECKED imp_Status imp_body_set_user_data(imp_World *world, imp_BodyId body, void *user_data);
IMP_CHECKED imp_Status imp_body_get_user_data(const imp_World *world, imp_BodyId body, void **user_data);

/// A convex body's mesh is its surface, whose faces the report names.
IMP_CHECKED imp_Status imp_body_get_mesh(const imp_World *world, imp_BodyId body, imp_Mesh **mesh);

/// Null for a body that is a mesh.
IMP_CHECKED imp_Status imp_body_get_convex(const imp_World *world, imp_BodyId body, imp_Convex **convex);

/// Never compare two bodies, or compare them again. Forgotten when one of them is removed.
IMP_CHECKED imp_Status imp_world_ignore_pair(imp_World *world, imp_BodyId a, imp_BodyId b, bool ignore);

/// May two bodies be compared? Slot of a < slot of b. Asked for pairs whose boxes meet or may meet, often,
/// from any thread and from several at once, in the default floating-point mode; the answer must be the same
/// each time. It must not use the context, nor leave by a jump.
typedef bool (*imp_PairFilterFn)(imp_BodyId a, imp_BodyId b, void *user);

/// Compare only pairs that `filter` lets pass, in detects, clearances and configurations; null: all. That
/// comes on top of categories, groups and imp_world_ignore_pair. What the last detect found about pairs that
/// are excluded now ends with the next. When the filter is to answer differently call this again.
IMP_CHECKED imp_Status imp_world_set_pair_filter(imp_World *world, imp_PairFilterFn filter, void *user);

typedef enum imp_DetectMode {
    IMP_DETECT_FACES = 0, ///< all touching face pairs
    IMP_DETECT_BODIES,    ///< which bodies touch or contain each other; no faces
    IMP_DETECT_FIRST, ///< stop at the first body pair in sorted order; its faces are listed when they touch
} imp_DetectMode;

/// How candidate faces are found. Verdicts are the same with all of them. Whether a convex body touches
/// another body is decided by a separating vector in any case.
typedef enum imp_DetectMethod {
    IMP_METHOD_AUTO = 0,    ///< posed boxes
    IMP_METHOD_EXACT_BOXES, ///< boxes exactly around posed vertices, made anew for each motion
    IMP_METHOD_POSED_BOXES, ///< boxes stored with the mesh are posed; vertices only where something meets
    IMP_METHOD_SMITH_1994,  ///< Smith & Kitamura 1994, 3.3, as printed: one world cube, fixed resolution
    IMP_METHOD_SPHERES,     ///< Hubbard 1996: bodies with sphere trees go through these, budget or not
} imp_DetectMethod;

/// "posed-boxes"; null for IMP_METHOD_AUTO and for what is no method.
IMP_API const char *imp_method_name(imp_DetectMethod method);

#define IMP_MAX_SMITH_LEVEL 10

/// Which of several undecided pairs of bodies with sphere trees is refined next.
typedef enum imp_RefineOrder {
    IMP_REFINE_LARGEST_ERROR = 0, ///< the one of which least is known, times the importance of its bodies
    IMP_REFINE_ROUND_ROBIN,       ///< each in turn
} imp_RefineOrder;

typedef struct imp_DetectDef {
    imp_DetectMode mode;
    imp_DetectMethod method;
    bool ignore_containment;  ///< do not ask which bodies lie inside closed meshes
    bool count_all;           ///< count all face pairs, also those beyond max_face_pairs
    uint64_t max_face_pairs;  ///< keep only the first in sorted order; 0 is no limit (see imp_world_detect)
    uint32_t smith_level;     ///< resolution level of IMP_METHOD_SMITH_1994; 0 is the paper's 6
    uint64_t budget_us;       ///< see imp_world_detect; 0 is no limit
    const imp_Cancel *cancel; ///< looked at by all stages; null: none
    bool contacts;            ///< where, which way and how deep, too; in mode IMP_DETECT_FACES only
    imp_RefineOrder order;    ///< see imp_world_detect
    uint64_t budget_steps;    ///< likewise; 0 is no limit
    uint64_t reserved[2];     ///< zero
} imp_DetectDef;

/// What is asked about a pair of bodies.
typedef enum imp_Question {
    IMP_QUESTION_TOUCH = 1,       ///< do they touch?
    IMP_QUESTION_FACES = 2,       ///< which of their faces?
    IMP_QUESTION_CONTAINMENT = 4, ///< is one inside the other?
    IMP_QUESTION_DISTANCE = 8,    ///< how far apart are they?
    IMP_QUESTION_CONTACTS = 16,   ///< where, which way and how deep do they touch?
    IMP_QUESTION_SWEEP = 32,      ///< when do they first touch?
} imp_Question;

typedef struct imp_BodyPair {
    imp_BodyId body_a, body_b; ///< slot of a < slot of b
    uint32_t relations;        ///< imp_Relation bits
    uint32_t unanswered;       ///< imp_Question bits that the budget, or max_face_pairs, did not last for
} imp_BodyPair;

typedef struct imp_TouchingFaces {
    imp_BodyId body_a;
    uint32_t face_a;
    imp_BodyId body_b;
    uint32_t face_b;
} imp_TouchingFaces;

/// Spheres of two trees that meet: as they are numbered in imp_sphere_tree_get_spheres.
typedef struct imp_SpherePair {
    uint32_t sphere_a, sphere_b;
} imp_SpherePair;

/// What is known of two bodies that are undecided. Closed meshes count as solids here, others as surfaces.
typedef struct imp_Estimate {
    double error; ///< the bodies are no farther apart than this: proven
    /// Roughly where they may touch, and which way from a to b; zeros without sphere trees, and where spheres
    /// don't meet any more.
    imp_Vec3 point, normal;
    /// Spheres that meet and have faces which may touch, the most promising ones first: all there are, as far
    /// as the comparison has come. None before a pair has had its first turn.
    size_t first_sphere_pair, sphere_pair_count;
} imp_Estimate;

/// A body whose box lies inside that of an open one, which has no inside.
typedef struct imp_OpenContainer {
    imp_BodyId inner, outer;
} imp_OpenContainer;

/// Owned by the world, valid until its next detect or its end. Lists are sorted by slots, then faces.
typedef struct imp_Report {
    const imp_BodyPair *body_pairs; ///< in mode IMP_DETECT_FIRST at most one
    size_t body_pair_count;
    const imp_TouchingFaces *face_pairs;
    size_t face_pair_count;
    uint64_t face_pair_total;  ///< what face_pair_count would be without max_face_pairs, or less (see below)
    bool truncated;            ///< face pairs beyond max_face_pairs were left out
    bool total_is_lower_bound; ///< some pairs' faces were not all counted, for max_face_pairs or the budget
    bool budget_spent;         ///< the budget ended first: what is listed is true, but there may be more
    const imp_BodyPair *begun; ///< body pairs that the last detect did not report (see imp_world_detect)
    size_t begun_count;
    const imp_BodyPair *ended; ///< body pairs of the last detect that are no more; bodies may be gone
    size_t ended_count;
    const imp_BodyPair *undecided; ///< body pairs of which no relation is known, but not everything was asked
    size_t undecided_count;
    const imp_OpenContainer *open_containers; ///< containment that could not be asked for
    size_t open_container_count;
    /// Whose boxes meet: related, undecided, and ruled out. In mode IMP_DETECT_FIRST those up to the first
    /// related one, unless the budget was spent.
    uint64_t candidate_body_pairs;
    uint64_t candidate_face_pairs; ///< how many face pairs were tested of pairs that were asked for all faces
    /// With imp_DetectDef.contacts: regions of contact, sorted by slots, then by their first face pairs.
    const imp_Contact *contacts;
    size_t contact_count;
    const imp_TouchingFaces *contact_faces; ///< face pairs, region by region
    size_t contact_face_count;
    const imp_Polyline *polylines; ///< curves, region by region
    size_t polyline_count;
    const imp_Vec3 *curve_points; ///< polyline by polyline
    size_t curve_point_count;
    const imp_Estimate *estimates;      ///< estimates[i] is of undecided[i]; there are undecided_count
    const imp_SpherePair *sphere_pairs; ///< estimate by estimate
    size_t sphere_pair_count;
    uint64_t step_count;   ///< steps that were taken, see imp_world_detect
    uint64_t overshoot_ns; ///< by how much the call was longer than budget_us, until the report stood
} imp_Report;

/// Find out what touches now. `def` may be null, which means all defaults. A detect costs what has changed
/// since the last one that asked the same; pairs of bodies at rest are not looked at again. Begun and ended
/// compare body pairs with those of the last detect of any mode but IMP_DETECT_FIRST, which leaves that list
/// alone.
///
/// With max_face_pairs, memory for faces follows that number. Body pairs are asked for their faces in order,
/// up to the one in which the limit is passed; of later ones only whether they touch, and their `unanswered`
/// tells. Then face_pair_total counts faces up to that pair, and total_is_lower_bound is set. With count_all
/// all faces are counted.
///
/// With a budget, work ends that many microseconds after the call, or a little later, once bounds and pairs
/// of boxes are found: blocks of work that have begun are finished. The report is then marked (budget_spent).
/// What it lists is true; pairs that it could not decide are listed as such, and are neither begun nor ended.
/// Where only some of the faces of a touching pair were found, these are listed and its `unanswered` tells.
/// The next detect goes on where this one ended, as far as bodies are at rest.
///
/// Bodies with sphere trees are first compared sphere by sphere in a detect with a budget (or with
/// IMP_METHOD_SPHERES), each pair a little in its turn, until spheres part them or faces in the smallest
/// spheres touch; in mode IMP_DETECT_FIRST they go the way of others. What spheres part is asked for
/// containment, unless both trees cover solids. Of pairs that are undecided when the budget ends, `estimates`
/// tells how far apart they can be. More time or more steps never make that worse. imp_world_refine goes on.
///
/// A budget in steps gives the same report each time, for any number of threads. Steps are: eight spheres
/// compared with one, faces of two smallest spheres compared, a test of containment, or all that is left to
/// be asked about one pair, be it all of a pair without sphere trees. What bounds and pairs of boxes take is
/// not counted. With both kinds of budget the first that is spent ends it.
///
/// With contacts, touching faces are joined into regions, each with its curves, points, normal and depth
/// (docs/contacts.md). Only in mode IMP_DETECT_FACES, otherwise IMP_STATUS_BAD_ARGUMENT. A pair whose faces
/// are not all listed, for max_face_pairs or the budget, or for which the budget did not last, has no
/// contacts, and its `unanswered` tells. Solids that touch without touching faces have none either.
///
/// On failure the report of the last detect is void and the world is as it was. IMP_STATUS_CANCELLED when
/// `cancel` was requested before or meanwhile.
IMP_CHECKED imp_Status imp_world_detect(imp_World *world, const imp_DetectDef *def,
                                        const imp_Report **report);

/// How much longer a detect may go on. The first budget that is spent ends it.
typedef struct imp_RefineDef {
    uint64_t budget_us, budget_steps; ///< as in imp_DetectDef; 0 is no limit
    const imp_Cancel *cancel;
    uint64_t reserved[4]; ///< zero
} imp_RefineDef;

/// Go on where the last detect, or refining, ended, and ask the same. `def` may be null: then until all is
/// known. The report takes the place of the last one. IMP_STATUS_BAD_ARGUMENT when there was no detect, but
/// for those in mode IMP_DETECT_FIRST, or when the world was changed since the last one.
IMP_CHECKED imp_Status imp_world_refine(imp_World *world, const imp_RefineDef *def,
                                        const imp_Report **report);

/// How far apart two bodies are, where, and whether one is inside the other; also of pairs that are ignored.
/// `def` may be null, which means all defaults.
///
/// Bounds hold in real arithmetic on the posed doubles. Between meshes they are as sharp as doubles can be:
/// `distance` is the least double that is not less than the true distance, `lower_bound` the greatest that is
/// not more. With convex bodies they are as sharp as `reached_accuracy` tells. Faces are those of the closest
/// points; of several that are equally near, to the last bit of both bounds, those of the least numbers,
/// whichever body they are of. Where a solid holds the other body
/// without the surfaces touching, it has no face. Nothing of the answer depends on threads, on instruction
/// sets, or on what was asked before.
///
/// The world's report and what it compares with stay as they are. IMP_STATUS_BAD_ARGUMENT when both are the
/// same body, or a number of the def is out of its range: an accuracy that is not between 0 and 1, a length
/// that is negative or not finite.
IMP_CHECKED imp_Status imp_world_distance(imp_World *world, imp_BodyId a, imp_BodyId b,
                                          const imp_DistanceDef *def, imp_Distance *result);

#ifdef __cplusplus
}
#endif

#endif
