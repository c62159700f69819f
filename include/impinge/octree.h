/// Octrees of shapes: which cells of a cube belong to a shape, decided exactly.
///
/// The result depends on the shape, the grid and the rule alone, so that every method, any number of threads
/// and any program that keeps to this text gives the same cells. See docs/octrees.md.
#ifndef IMPINGE_OCTREE_H
#define IMPINGE_OCTREE_H

#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Immutable after creation and shared by reference counting, like a mesh.
typedef struct imp_Octree imp_Octree;

#define IMP_MAX_OCTREE_LEVEL     16
#define IMP_DEFAULT_OCTREE_LEVEL 6

/// A cube of 2^level voxels along each axis. Corner i along an axis is `origin + i * voxel`: one product and
/// one sum in doubles. Neighbours share their corners, so cells leave no gap. A cell of level l is 2^(level -
/// l) voxels wide; the cube is the one cell of level 0.
typedef struct imp_OctreeGrid {
    imp_Vec3 origin;
    double voxel;   ///< edge of a voxel
    uint32_t level; ///< of voxels, 1 to IMP_MAX_OCTREE_LEVEL
} imp_OctreeGrid;

/// A grid around a mesh, which is in its middle as far as voxels allow: the voxel is a power of two and
/// corners are multiples of it, so that grids around several meshes share their lines where their voxels are
/// alike. The voxel is the smallest one for which the cube holds the mesh and no two corners coincide.
/// IMP_STATUS_BAD_ARGUMENT for a level out of its range, IMP_STATUS_TOO_LARGE where the cube would reach
/// beyond the largest double.
IMP_CHECKED imp_Status imp_octree_grid_around(const imp_Mesh *mesh, uint32_t level, imp_OctreeGrid *grid);

/// Which voxels of a mesh are black. Cells are gray in between: a cell is gray if a face meets its *open*
/// box; otherwise it is black if the surface winds around its center, the midpoint of its corners in real
/// arithmetic, and white if it does not. Rules say what becomes of gray voxels. But for IMP_OCTREE_SEALED and
/// IMP_OCTREE_FACES the mesh is a solid and has to be closed. A box on grid lines gives exactly its voxels
/// under the first three.
typedef enum imp_OctreeRule {
    IMP_OCTREE_OUTER = 0, ///< black: the voxels hold the solid
    IMP_OCTREE_INNER,     ///< white: the solid holds the voxels
    IMP_OCTREE_CENTRE,    ///< what their center is; on the surface is black
    IMP_OCTREE_TOUCH,     ///< as IMP_OCTREE_OUTER, and voxels that only share boundary points are black too
    IMP_OCTREE_SEALED, ///< any mesh: voxels whose closed box a face touches, and those that can't be reached
                       ///< from outside of the cube through faces of voxels that none touches
    IMP_OCTREE_FACES,  ///< any mesh: voxels whose closed box a face touches, each with a list of those faces
} imp_OctreeRule;

typedef struct imp_OctreeDef {
    imp_Mesh *mesh; ///< not kept
    /// With a voxel of 0: around the mesh, with its level, or IMP_DEFAULT_OCTREE_LEVEL where that is 0, too.
    imp_OctreeGrid grid;
    imp_OctreeRule rule;
    uint64_t reserved[4]; ///< zero
} imp_OctreeDef;

/// Make an octree with one reference. Those of solids are condensed: eight black children are one black cell.
/// Those of faces are not, so that all their black cells are voxels. What is outside of the cube is cut
/// (imp_OctreeInfo.is_cut). The context's watch can end it. Refused: a grid that is not finite, a voxel that
/// is not positive, corners that coincide (IMP_STATUS_BAD_NUMBER); a level out of its range
/// (IMP_STATUS_BAD_ARGUMENT); an open mesh where a solid is asked for (IMP_STATUS_BAD_SHAPE; the message
/// names a boundary edge, and the error's index is its face); more than 2^32 - 2 gray cells, or faces in
/// lists (IMP_STATUS_TOO_LARGE).
IMP_CHECKED imp_Status imp_octree_create(imp_Context *context, const imp_OctreeDef *def, imp_Octree **octree);

/// From 2^(3 level) voxels, that of x, y, z at (x * n + y) * n + z with n = 2^level; not 0 is black.
/// IMP_STATUS_BAD_SHAPE unless `count` is the number of voxels; the grid as above.
IMP_CHECKED imp_Status imp_octree_create_from_voxels(imp_Context *context, const imp_OctreeGrid *grid,
                                                     const uint8_t *voxels, size_t count,
                                                     imp_Octree **octree);

/// From the depth-first text of Smith & Kitamura: "(" or "G" is a gray cell, which its eight children follow,
/// "B" a black and "W" a white one; white space is skipped. Children come in the order of octants: that of x,
/// y, z (each 0 or 1) is the x + 2 y + 4 z-th. The tree stays as it is, condensed or not. A grid of level 0
/// gets the level of the deepest cells. Refused, with the byte's offset as the error's index: text that ends
/// too soon, goes on too long, or has other letters (IMP_STATUS_BAD_FILE); cells below the level
/// (IMP_STATUS_BAD_SHAPE).
IMP_CHECKED imp_Status imp_octree_create_from_df(imp_Context *context, const imp_OctreeGrid *grid,
                                                 const char *text, size_t length, imp_Octree **octree);

/// As imp_mesh_retain and imp_mesh_release.
IMP_API imp_Octree *imp_octree_retain(imp_Octree *octree);
IMP_API void imp_octree_release(imp_Octree *octree);

// ---- what is in one

typedef enum imp_CellColour { IMP_CELL_WHITE = 0, IMP_CELL_BLACK, IMP_CELL_GRAY } imp_CellColour;

/// In voxels, from `min` up to but without `max`.
typedef struct imp_VoxelBox {
    uint32_t min[3], max[3];
} imp_VoxelBox;

typedef struct imp_OctreeInfo {
    imp_OctreeGrid grid;
    bool is_cut;       ///< something it was made of reaches beyond its cube, or is an octree that was cut
    bool is_condensed; ///< no cell has eight children of one colour
    bool has_faces;    ///< voxels have lists of faces
    uint64_t gray_count[IMP_MAX_OCTREE_LEVEL + 1]; ///< by level
    uint64_t black_count[IMP_MAX_OCTREE_LEVEL + 1];
    uint64_t white_count[IMP_MAX_OCTREE_LEVEL + 1];
    uint64_t black_voxel_count; ///< that black cells hold
    double volume;              ///< of them, with voxels as cubes
    imp_VoxelBox bounds;        ///< of black voxels; empty, all 0, when there are none
    size_t face_count;          ///< in all lists together
} imp_OctreeInfo;

/// IMP_STATUS_BAD_ARGUMENT when an argument is null.
IMP_CHECKED imp_Status imp_octree_get_info(const imp_Octree *octree, imp_OctreeInfo *info);

/// Of the cell of `level` at x, y, z, counted in cells of that level. Cells inside of a black or white one
/// have its colour. IMP_STATUS_BAD_INDEX when there is no such cell.
IMP_CHECKED imp_Status imp_octree_get_colour(const imp_Octree *octree, uint32_t level, uint32_t x, uint32_t y,
                                             uint32_t z, imp_CellColour *colour);

/// Of points: black where the closed box of a black cell holds them, otherwise white, as outside of the cube.
/// IMP_STATUS_BAD_NUMBER with the index when a point is not finite; then nothing is written.
IMP_CHECKED imp_Status imp_octree_locate_points(imp_Context *context, const imp_Octree *octree,
                                                const imp_Vec3 *points, size_t count,
                                                imp_CellColour *colours);

/// The faces that touch a voxel's closed box, ascending; owned by the octree. None for white voxels, and for
/// octrees without lists. IMP_STATUS_BAD_INDEX when there is no such voxel.
IMP_CHECKED imp_Status imp_octree_get_faces(const imp_Octree *octree, uint32_t x, uint32_t y, uint32_t z,
                                            const uint32_t **faces, size_t *count);

/// The inverse of imp_octree_create_from_voxels: 0 and 1. `count` has to be the number of voxels.
IMP_CHECKED imp_Status imp_octree_get_voxels(imp_Context *context, const imp_Octree *octree, uint8_t *voxels,
                                             size_t count);

/// The inverse of imp_octree_create_from_df; gray cells are "(". Without a final zero. `*length` is the true
/// total; if it exceeds `capacity` nothing is written and the status is IMP_STATUS_BUFFER_SHORT.
IMP_CHECKED imp_Status imp_octree_get_df(imp_Context *context, const imp_Octree *octree, char *text,
                                         size_t capacity, size_t *length);

/// The surface of what is black as a closed mesh, two triangles for each wall between a black voxel and one
/// that is not, turned outward. IMP_STATUS_BAD_SHAPE when nothing is black. The context's watch can end it.
IMP_CHECKED imp_Status imp_octree_get_surface(imp_Context *context, const imp_Octree *octree,
                                              imp_Mesh **mesh);

// ---- sets

typedef enum imp_OctreeOperation {
    IMP_OCTREE_UNION = 0,
    IMP_OCTREE_INTERSECTION,
    IMP_OCTREE_DIFFERENCE, ///< a without b
} imp_OctreeOperation;

/// Of two octrees on the same grid, condensed, without lists of faces. IMP_STATUS_BAD_ARGUMENT when grids
/// differ.
IMP_CHECKED imp_Status imp_octree_combine(imp_Context *context, imp_OctreeOperation operation,
                                          const imp_Octree *a, const imp_Octree *b, imp_Octree **result);

/// What is white becomes black and the other way round, without lists of faces.
IMP_CHECKED imp_Status imp_octree_complement(imp_Context *context, const imp_Octree *octree,
                                             imp_Octree **result);

/// Do both have the same grid and the same black voxels?
IMP_CHECKED imp_Status imp_octree_equal(const imp_Octree *a, const imp_Octree *b, bool *equal);

// ---- cubes and motion

/// From voxel x, y, z on, `edge` voxels along each axis.
typedef struct imp_OctreeCube {
    uint32_t x, y, z, edge;
} imp_OctreeCube;

typedef struct imp_OctreeCubesDef {
    /// Not the black cells, in depth-first order, but fewer cubes, of any number of voxels along an edge,
    /// that cover the same and do not overlap (Smith & Kitamura 2.3), from large to small. Never more than
    /// there are black cells. Octrees of more than 128 voxels along an axis are compacted in tiles of so
    /// many, which bounds memory; larger black cells stay.
    bool compact;
    /// Compacting tries so many orders and keeps the best; 0: some, IMP_ALL_STARTS: as many as there are
    /// cubes to choose from, as the paper does, which takes the square of their number.
    uint32_t starts;
    uint64_t reserved[4]; ///< zero
} imp_OctreeCubesDef;

#define IMP_ALL_STARTS UINT32_MAX

/// `def` may be null: all defaults. `*count` is the true total; if it exceeds `capacity` nothing is written
/// and the status is IMP_STATUS_BUFFER_SHORT. The context's watch can end it.
IMP_CHECKED imp_Status imp_octree_get_cubes(imp_Context *context, const imp_Octree *octree,
                                            const imp_OctreeCubesDef *def, imp_OctreeCube *cubes,
                                            size_t capacity, size_t *count);

/// Which voxels of the target grid are black when black cells have been moved. Moved cells are closed.
typedef enum imp_OctreeMoveRule {
    IMP_MOVE_OVERLAP = 0, ///< those that have volume in common with a moved cell
    IMP_MOVE_CENTRE,      ///< those whose center lies in a moved cell
    IMP_MOVE_TOUCH,       ///< those whose closed box shares a point with a moved cell
} imp_OctreeMoveRule;

/// The result depends on none of these.
typedef enum imp_OctreeMoveMethod {
    IMP_MOVE_BEST = 0,
    IMP_MOVE_PAPER,     ///< Smith & Kitamura 2.4: lists of cubes, and their sequence of tests
    IMP_MOVE_PARTIAL,   ///< 2.4.4: the same, an octree of a share of the cubes for each thread, united
    IMP_MOVE_TRANSLATE, ///< 2.5: subdivision of each axis; for poses without rotation
} imp_OctreeMoveMethod;

/// How many pairs of cubes were tested, for comparison.
typedef struct imp_OctreeMoveStats {
    uint64_t source_cubes; ///< that were moved
    uint64_t cube_tests;   ///< of a moved cube and a target cell
    uint64_t exact_tests;  ///< of these, how many took integers
} imp_OctreeMoveStats;

typedef struct imp_OctreeMoveDef {
    imp_Pose pose;
    imp_OctreeGrid grid; ///< of the result; with a voxel of 0, the octree's own
    imp_OctreeMoveRule rule;
    /// In voxels, from 0 to below one half: target voxels are smaller by so much on each side for
    /// IMP_MOVE_OVERLAP and IMP_MOVE_TOUCH. Their corners are `corner + s` and `corner - s` with s = slack *
    /// voxel, in doubles. The matrix of a quarter turn is off by 1e-16, which would add a layer of voxels.
    double slack;
    imp_OctreeMoveMethod method;
    bool compact;               ///< move few cubes instead of the black cells
    imp_OctreeMoveStats *stats; ///< may be null
    uint64_t reserved[4];       ///< zero
} imp_OctreeMoveDef;

/// The octree in another place: the matrix and translation of imp_pose_transform are taken as real numbers,
/// each black cell becomes a parallelepiped, and nothing more is rounded. Condensed, without lists of faces;
/// what leaves the grid is cut (imp_OctreeInfo.is_cut). Refused: a pose as by imp_pose_transform, a grid as
/// by imp_octree_create, a slack that is not in its range or leaves nothing of a voxel
/// (IMP_STATUS_BAD_NUMBER); a rotation by IMP_MOVE_TRANSLATE (IMP_STATUS_BAD_ARGUMENT). The context's watch
/// can end it.
IMP_CHECKED imp_Status imp_octree_move(imp_Context *context, const imp_Octree *octree,
                                       const imp_OctreeMoveDef *def, imp_Octree **result);

// ---- files

/// By the extension: .oct, packed depth-first cells with their grid (lists of faces are not kept); .df, the
/// text of imp_octree_create_from_df; .bt, an OctoMap, where voxels count from 0, 0, 0 in steps of their size
/// and 2^16 of them suffice (IMP_STATUS_BAD_SHAPE otherwise), and white voxels are free. The file appears
/// whole or not at all. The context's watch can end both.
IMP_CHECKED imp_Status imp_octree_save(imp_Context *context, const imp_Octree *octree, const char *path);

typedef struct imp_OctreeLoadDef {
    imp_OctreeGrid grid;     ///< for .df, which has none; with a voxel of 0: voxels of 1 from 0, 0, 0 on
    bool unknown_is_black;   ///< cells of which an OctoMap knows nothing; otherwise they are white
    uint64_t *unknown_count; ///< how many voxels these are; may be null
    uint64_t reserved[4];    ///< zero
} imp_OctreeLoadDef;

/// The inverse; `def` may be null. The octree of an OctoMap has the smallest cube around all that is known
/// whose halves are cells of the map. The error names file and byte offset: IMP_STATUS_IO,
/// IMP_STATUS_BAD_FILE, IMP_STATUS_BAD_SHAPE (text with cells below the level of the grid),
/// IMP_STATUS_TOO_LARGE, IMP_STATUS_UNSUPPORTED (another extension or version).
IMP_CHECKED imp_Status imp_octree_load(imp_Context *context, const char *path, const imp_OctreeLoadDef *def,
                                       imp_Octree **octree);

#ifdef __cplusplus
}
#endif

#endif
