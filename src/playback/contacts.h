/// Contacts of a history: who meets whom, from which frame to which.
#ifndef IMPINGE_PLAYBACK_CONTACTS_H
#define IMPINGE_PLAYBACK_CONTACTS_H

#include "playback/history.h"

/// Two bodies that keep a relation through consecutive frames.
typedef struct impi_Contact {
    uint32_t body_a, body_b;
    imp_Relation relation; // a single one
    bool overlaps;         // in any of its frames, where that was asked for
    uint32_t first_frame, last_frame;
    size_t most_face_pairs; // of its frames; 0 unless they touch
} impi_Contact;

typedef struct impi_Contacts {
    impi_Contact *contacts; // sorted by bodies, then first frames, then relations
    size_t count;
    size_t capacity;
    size_t body_pair_count; // how many pairs of bodies they are of
} impi_Contacts;

/// Of all frames played so far; a frame that was not played ends a contact. Free them.
imp_Status impi_contacts_find(imp_Context *context, const impi_History *history, impi_Contacts *contacts);

/// All zero is fine.
void impi_contacts_free(imp_Context *context, impi_Contacts *contacts);

/// The frames in which two bodies meet for the first time, ascending, each once: at most
/// contacts->body_pair_count, for which there must be room. Returns how many.
size_t impi_contacts_first_frames(const impi_Contacts *contacts, uint32_t *frames);

#endif
