/// Delaunay diagrams by the qhull library, found at run time: impinge is not linked to it and works without
/// it.
#ifndef IMPINGE_SHAPE_QHULL_H
#define IMPINGE_SHAPE_QHULL_H

#include "base/array.h"
#include "base/context.h"

#define IMPI_NO_SIMPLEX UINT32_MAX

/// Four sites whose common sphere has no site inside.
typedef struct impi_Simplex {
    uint32_t sites[4];
    uint32_t neighbours[4]; ///< beyond the face opposite to each site; IMPI_NO_SIMPLEX where there is none
} impi_Simplex;

typedef IMPI_ARRAY(impi_Simplex) impi_Simplices;

/// Is the library there, of the version that this build was made for? It stays loaded. Any thread.
bool impi_qhull_is_there(void);

/// Of sites given by three coordinates each, which are not all in one plane. Sites that nearly coincide with
/// others may be in no simplex. Memory of the result comes from the context's allocator, that in between from
/// the C library; it cannot be ended before it is done. IMP_STATUS_UNSUPPORTED without qhull (the message
/// names the package), IMP_STATUS_BAD_SHAPE when qhull gives up, IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_qhull_delaunay(imp_Context *context, double *sites, size_t count, impi_Simplices *simplices);

#endif
