/// The page without its data, as the build made it from web/ and put it into the program.
#ifndef IMPINGE_APPS_RUN_PAGE_TEMPLATE_H
#define IMPINGE_APPS_RUN_PAGE_TEMPLATE_H

#include <stddef.h>

typedef struct PageTemplate {
    const char *head; // up to where the data goes; null when the page was left out
    size_t head_size;
    const char *tail; // from there on
    size_t tail_size;
    const char *left_out; // why the page was left out; null when it is there
} PageTemplate;

PageTemplate page_template(void);

#endif
