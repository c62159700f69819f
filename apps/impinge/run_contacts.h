/// Contacts of a run: who meets whom, from which frame to which.
#ifndef IMPINGE_APPS_RUN_CONTACTS_H
#define IMPINGE_APPS_RUN_CONTACTS_H

#include "run_history.h"

/// Two bodies that keep a relation through consecutive frames.
typedef struct RunContact {
    uint32_t body_a, body_b;
    imp_Relation relation; // a single one
    uint32_t first_frame, last_frame;
    size_t most_face_pairs; // of its frames; 0 unless they touch
} RunContact;

typedef struct RunContacts {
    RunContact *contacts; // sorted by bodies, then first frames, then relations
    size_t count;
    size_t body_pair_count; // how many pairs of bodies they are of
} RunContacts;

/// Says what went wrong; free the contacts in any case.
CommandResult run_contacts_find(const RunHistory *history, RunContacts *contacts);
void run_contacts_free(RunContacts *contacts);

/// The frames in which two bodies meet for the first time, ascending, each once: at most
/// contacts->body_pair_count, for which there must be room. Returns how many.
size_t run_contacts_first_frames(const RunContacts *contacts, uint32_t *frames);

#endif
