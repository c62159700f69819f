# Tests of the project itself: include directions, headers that stand alone, an installed library.
add_test(NAME structure/include_directions
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/include_directions.sh ${PROJECT_SOURCE_DIR})

add_test(NAME structure/headers_stand_alone
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/headers_stand_alone.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})

if(NOT IMPINGE_SANITIZE)
  add_test(NAME structure/installed_library
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/structure/installed_library.sh
      ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
endif()
