# The page of `impinge run --html`: bundled from web/ with npm's esbuild and three.js, embedded in the program.
# npm runs when CMake configures, once per package-lock.json; esbuild runs when a source in web/ has changed.
#   impinge_embed_page(SOURCE)    give SOURCE the page; leaves it out, with a message, where npm can't provide it
set(IMPINGE_WEB AUTO CACHE STRING "The 3-D viewer of impinge run --html: AUTO (if npm works), ON or OFF")
set_property(CACHE IMPINGE_WEB PROPERTY STRINGS AUTO ON OFF)

# Build folders of the presets lie below build/ and share what npm fetches; others have their own.
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR ${CMAKE_BINARY_DIR} NORMALIZE IMPINGE_BUILT_INSIDE)
if(IMPINGE_BUILT_INSIDE)
  set(IMPINGE_WEB_FOLDER ${PROJECT_SOURCE_DIR}/build/web CACHE INTERNAL "Where npm works")
else()
  set(IMPINGE_WEB_FOLDER ${CMAKE_BINARY_DIR}/web CACHE INTERNAL "Where npm works")
endif()
set(IMPINGE_WEB_SOURCE ${PROJECT_SOURCE_DIR}/web)

function(impinge_leave_out_page reason)
  if(IMPINGE_WEB STREQUAL AUTO)
    message(STATUS "impinge: the 3-D viewer of `impinge run --html` is left out: ${reason}")
  else()
    message(FATAL_ERROR "impinge: IMPINGE_WEB is ${IMPINGE_WEB}, but ${reason}")
  endif()
endfunction()

# Fetch the packages unless those of this package-lock.json are there. Sets `result` to what went wrong.
function(impinge_fetch_packages result)
  set(${result} "" PARENT_SCOPE)
  set(stamp ${IMPINGE_WEB_FOLDER}/fetched)
  file(SHA256 ${IMPINGE_WEB_SOURCE}/package-lock.json wanted)
  file(MAKE_DIRECTORY ${IMPINGE_WEB_FOLDER})
  file(LOCK ${IMPINGE_WEB_FOLDER}/lock GUARD FUNCTION TIMEOUT 600) # other build folders may be at it
  if(EXISTS ${stamp})
    file(READ ${stamp} fetched)
    if(fetched STREQUAL wanted)
      return()
    endif()
  endif()
  message(STATUS "impinge: fetching three.js and esbuild with npm")
  file(REMOVE ${stamp})
  file(COPY ${IMPINGE_WEB_SOURCE}/package.json ${IMPINGE_WEB_SOURCE}/package-lock.json ${IMPINGE_WEB_SOURCE}/.npmrc
    DESTINATION ${IMPINGE_WEB_FOLDER})
  execute_process(COMMAND ${NPM_PROGRAM} ci --loglevel=error WORKING_DIRECTORY ${IMPINGE_WEB_FOLDER}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT status EQUAL 0)
    string(REGEX MATCH "npm (error|ERR!) [^\n]*" line "${output}")
    set(${result} "`npm ci` failed (${status}) ${line}" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endfunction()

function(impinge_embed_page source)
  set(IMPINGE_HAS_PAGE OFF CACHE INTERNAL "Is the 3-D viewer part of this build?")
  find_program(NODE_PROGRAM NAMES node nodejs)
  find_program(NPM_PROGRAM npm)
  if(NOT IMPINGE_WEB) # OFF
    message(STATUS "impinge: the 3-D viewer of `impinge run --html` is left out: IMPINGE_WEB is ${IMPINGE_WEB}")
    return()
  endif()
  if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
    impinge_leave_out_page("install npm")
    return()
  endif()
  impinge_fetch_packages(problem)
  if(problem)
    impinge_leave_out_page("${problem}")
    return()
  endif()

  set(page ${CMAKE_CURRENT_BINARY_DIR}/page)
  file(GLOB page_sources CONFIGURE_DEPENDS ${IMPINGE_WEB_SOURCE}/*)
  add_custom_command(OUTPUT ${page}/head.html ${page}/tail.html
    COMMAND ${NODE_PROGRAM} ${IMPINGE_WEB_SOURCE}/build.mjs ${IMPINGE_WEB_FOLDER} ${page}
    DEPENDS ${page_sources} ${IMPINGE_WEB_FOLDER}/fetched
    COMMENT "Bundling the page of impinge run --html" VERBATIM)
  set_source_files_properties(${source} PROPERTIES
    COMPILE_DEFINITIONS "IMPINGE_PAGE_HEAD=\"${page}/head.html\";IMPINGE_PAGE_TAIL=\"${page}/tail.html\""
    OBJECT_DEPENDS "${page}/head.html;${page}/tail.html")
  set(IMPINGE_HAS_PAGE ON CACHE INTERNAL "Is the 3-D viewer part of this build?")
endfunction()
