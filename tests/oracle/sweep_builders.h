/// How queries of each kind are built: unscaled, with points in plain order. sweep_cases.h tells what they
/// are.
#ifndef IMPINGE_TESTS_SWEEP_BUILDERS_H
#define IMPINGE_TESTS_SWEEP_BUILDERS_H

#include "sweep_cases.h"

void sweep_make_generic(SweepCase *query);
void sweep_make_generic_near(SweepCase *query);
void sweep_make_rounded_contact(SweepCase *query);
void sweep_make_contact_at_start(SweepCase *query);
void sweep_make_contact_at_end(SweepCase *query);
void sweep_make_contact_at_dyadic(SweepCase *query);
void sweep_make_contact_at_rational(SweepCase *query);
void sweep_make_contact_outside(SweepCase *query);
void sweep_make_meeting_vertices(SweepCase *query);
void sweep_make_last_bit(SweepCase *query);
void sweep_make_irrational(SweepCase *query);
void sweep_make_grazing(SweepCase *query);
void sweep_make_double_root(SweepCase *query);
void sweep_make_triple_root(SweepCase *query);
void sweep_make_one_plane(SweepCase *query);
void sweep_make_moving_plane(SweepCase *query);
void sweep_make_fixed_weights(SweepCase *query);
void sweep_make_singular_pencil(SweepCase *query);
void sweep_make_one_line(SweepCase *query);
void sweep_make_moving_line(SweepCase *query);
void sweep_make_flat(SweepCase *query);
void sweep_make_flat_now(SweepCase *query);
void sweep_make_face_as_edge(SweepCase *query);
void sweep_make_face_as_point(SweepCase *query);
void sweep_make_point_now(SweepCase *query);
void sweep_make_shared_vertex(SweepCase *query);
void sweep_make_static(SweepCase *query);
void sweep_make_equal_motion(SweepCase *query);
void sweep_make_one_ulp_off(SweepCase *query);
void sweep_make_small_lattice(SweepCase *query);
void sweep_make_needle(SweepCase *query);
void sweep_make_mixed_magnitudes(SweepCase *query);
void sweep_make_subnormals(SweepCase *query);
void sweep_make_huge(SweepCase *query);

#endif
