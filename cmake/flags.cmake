# Compiler flags shared by every target of ours: impinge_flags is linked privately.
add_library(impinge_flags INTERFACE)

# Verdicts are exact only if a*b+c is rounded twice everywhere, and errno and traps are nobody's business.
target_compile_options(impinge_flags INTERFACE -ffp-contract=off -fno-math-errno -fno-trapping-math)
target_compile_definitions(impinge_flags INTERFACE _POSIX_C_SOURCE=200809L)

if(IMPINGE_PORTABLE)
  target_compile_definitions(impinge_flags INTERFACE IMPINGE_PORTABLE)
endif()

if(IMPINGE_DEVELOPER)
  target_compile_options(impinge_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wundef
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
  # Later compilers warn of other things, which is no reason for anybody's build to fail.
  if((CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 13) OR
     (CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 15))
    target_compile_options(impinge_flags INTERFACE -Werror)
  endif()
endif()

if(IMPINGE_SANITIZE)
  target_compile_definitions(impinge_flags INTERFACE IMPINGE_SANITIZE)
  target_compile_options(impinge_flags INTERFACE
    -fsanitize=${IMPINGE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(impinge_flags INTERFACE -fsanitize=${IMPINGE_SANITIZE})
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND IMPINGE_SANITIZE MATCHES "address")
    # Its runtime looks for __cxa_throw when the program starts, and ends it when a C++ library that is opened
    # later (assimp) throws.
    target_link_options(impinge_flags INTERFACE -Wl,--push-state,--no-as-needed,-lstdc++,--pop-state)
  endif()
endif()

if(IMPINGE_COVERAGE)
  # Tasks count on several threads.
  target_compile_options(impinge_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(impinge_flags INTERFACE --coverage)
endif()
