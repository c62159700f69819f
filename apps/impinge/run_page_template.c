#include "run_page_template.h"

#ifdef IMPINGE_PAGE_HEAD

// The assembler takes files in as they are, in no time and however long.
#define EMBED(name, file)                                                                                    \
    __asm__(".pushsection .rodata\n"                                                                         \
            ".hidden " name "\n"                                                                             \
            ".hidden " name "_end\n"                                                                         \
            ".globl " name "\n"                                                                              \
            ".globl " name "_end\n" name ": .incbin \"" file "\"\n" name "_end: .byte 0\n"                   \
            ".popsection\n")

EMBED("page_template_head", IMPINGE_PAGE_HEAD);
EMBED("page_template_tail", IMPINGE_PAGE_TAIL);
extern const char page_template_head[], page_template_head_end[];
extern const char page_template_tail[], page_template_tail_end[];

PageTemplate page_template(void)
{
    return (PageTemplate){.head = page_template_head,
                          .head_size = (size_t)(page_template_head_end - page_template_head),
                          .tail = page_template_tail,
                          .tail_size = (size_t)(page_template_tail_end - page_template_tail)};
}

#else

PageTemplate page_template(void)
{
    return (PageTemplate){.left_out = IMPINGE_PAGE_LEFT_OUT};
}

#endif
