# Tests of the project itself: include directions, headers that stand alone, what is exported, an installed
# library.
add_test(NAME structure/include_directions
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/include_directions.sh ${PROJECT_SOURCE_DIR})

add_test(NAME structure/headers_stand_alone
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/headers_stand_alone.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER} ${MPI_C_INCLUDE_DIRS})

add_test(NAME structure/statuses_are_checked
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/statuses_are_checked.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})

add_test(NAME structure/thread_table
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/thread_table.sh ${PROJECT_SOURCE_DIR})

add_test(NAME structure/chaos_functions
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/chaos_functions.sh ${PROJECT_SOURCE_DIR})

add_test(NAME structure/fork_table
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/fork_table.sh ${PROJECT_SOURCE_DIR})

add_test(NAME structure/filter_table
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/filter_table.sh ${PROJECT_SOURCE_DIR})

if(NOT IMPINGE_SANITIZE AND NOT IMPINGE_COVERAGE) # which export names of their own
  add_test(NAME structure/exported_symbols
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/exported_symbols.sh
      ${PROJECT_SOURCE_DIR} $<TARGET_FILE:impinge> ${CMAKE_C_COMPILER}
      $<$<TARGET_EXISTS:impinge_mpi>:$<TARGET_FILE:impinge_mpi>>)
  add_test(NAME structure/installed_library
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/installed_library.sh
      ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
  if(NOT IMPINGE_PORTABLE) # they configure builds of their own, with the same compiler
    add_test(NAME structure/part_of_a_project
      COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/part_of_a_project.sh ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
    set_tests_properties(structure/part_of_a_project PROPERTIES COST 20)
    add_test(NAME structure/page_left_out
      COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/page_left_out.sh
        ${PROJECT_SOURCE_DIR} $<TARGET_FILE:impinge_command> ${CMAKE_C_COMPILER})
  endif()
endif()

add_test(NAME structure/setup_survives
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/setup_survives.sh ${PROJECT_SOURCE_DIR})

# Without mandoc, or without any of the shells, there is nothing to test with.
add_test(NAME structure/manual_pages
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/manual_pages.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/man $<TARGET_FILE:impinge_command>)
add_test(NAME structure/completions
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/completions.sh ${PROJECT_SOURCE_DIR} $<TARGET_FILE:impinge_command>)
set_tests_properties(structure/manual_pages structure/completions PROPERTIES SKIP_RETURN_CODE 77)

# Examples of the documentation. The second test proves that the first one notices what is wrong.
if(NOT IMPINGE_SANITIZE AND NOT IMPINGE_PORTABLE)
  set(DOC_EXAMPLES ${CMAKE_CURRENT_SOURCE_DIR}/structure/run_doc_examples.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} $<TARGET_FILE_DIR:impinge> ${CMAKE_C_COMPILER})
  file(GLOB_RECURSE DOC_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
  if(NOT TARGET impinge_mpi_command)
    list(FILTER DOC_FILES EXCLUDE REGEX "/impinge-mpi\\.md$")
  endif()
  add_test(NAME structure/doc_examples COMMAND ${DOC_EXAMPLES} ${PROJECT_SOURCE_DIR}/README.md ${DOC_FILES})
  set_tests_properties(structure/doc_examples PROPERTIES COST 20)
  add_test(NAME structure/doc_examples_fail
    COMMAND ${DOC_EXAMPLES} ${CMAKE_CURRENT_SOURCE_DIR}/structure/wrong_examples.md)
  set_tests_properties(structure/doc_examples_fail PROPERTIES
    PASS_REGULAR_EXPRESSION "3 programs and 7 commands in 1 files, 5 wrong")
endif()
