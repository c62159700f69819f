# The page of `impinge run --html`: bundled from web/ with npm's esbuild and three.js, embedded in the program.
# npm runs when CMake configures, once per package-lock.json; esbuild runs when a source in web/ has changed.
#   impinge_embed_page(SOURCE)    give SOURCE the page; leaves it out, with a message, where npm can't provide it
# A page that was left out is told of in page-left-out of the build folder: why, and how to mend it.
if(PROJECT_IS_TOP_LEVEL)
  set(web_default AUTO)
else() # who builds us as a part of something else has not asked for npm
  set(web_default OFF)
endif()
set(IMPINGE_WEB ${web_default} CACHE STRING "The 3-D viewer of impinge run --html: AUTO (if npm works), ON or OFF")
set_property(CACHE IMPINGE_WEB PROPERTY STRINGS AUTO ON OFF)

# Build folders of the presets lie below build/ and share what npm fetches; others have their own.
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR ${CMAKE_BINARY_DIR} NORMALIZE IMPINGE_BUILT_INSIDE)
if(IMPINGE_BUILT_INSIDE)
  set(IMPINGE_WEB_FOLDER ${PROJECT_SOURCE_DIR}/build/web CACHE INTERNAL "Where npm works")
else()
  set(IMPINGE_WEB_FOLDER ${CMAKE_BINARY_DIR}/web CACHE INTERNAL "Where npm works")
endif()
set(IMPINGE_WEB_SOURCE ${PROJECT_SOURCE_DIR}/web)

# Say why there is no page, on the terminal, in page-left-out and through --html.
function(impinge_leave_out_page source reason mend)
  if(IMPINGE_WEB AND NOT IMPINGE_WEB STREQUAL AUTO)
    message(FATAL_ERROR "impinge: IMPINGE_WEB is ${IMPINGE_WEB}, but ${reason}\n${mend}")
  endif()
  message(STATUS "impinge: the 3-D viewer of `impinge run --html` is left out: ${reason}")
  file(WRITE ${PROJECT_BINARY_DIR}/page-left-out
    "The page that shows a run in 3-D is left out: ${reason}\n${mend}\n")
  # Quotes, backslashes and the like would have to pass through shells.
  string(REGEX REPLACE "[^A-Za-z0-9 .,:/_@!=()-]+" "" told "${reason}")
  set_property(SOURCE ${source} PROPERTY COMPILE_DEFINITIONS "IMPINGE_PAGE_LEFT_OUT=\"${told}\"")
endfunction()

# The line in which npm says what is wrong: the one that gives a reason, or else its first.
function(impinge_find_reason output result)
  foreach(pattern "npm (error|ERR!) [^\n]*reason: [^\n]*" "npm (error|ERR!) [^\n]*" "[^\n]*Error: [^\n]*" "[^\n]+")
    string(REGEX MATCH "${pattern}" line "${output}")
    if(line)
      break()
    endif()
  endforeach()
  string(STRIP "${line}" line)
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# Fetch the packages unless those of this package-lock.json are there, and try them. Sets `result` to what went
# wrong. A failure is kept in a file: networks that swallow everything would cost minutes in each build folder.
function(impinge_fetch_packages result)
  set(${result} "" PARENT_SCOPE)
  set(stamp ${IMPINGE_WEB_FOLDER}/fetched)
  set(failure ${IMPINGE_WEB_FOLDER}/failed)
  file(SHA256 ${IMPINGE_WEB_SOURCE}/package-lock.json wanted)
  file(MAKE_DIRECTORY ${IMPINGE_WEB_FOLDER})
  file(LOCK ${IMPINGE_WEB_FOLDER}/lock GUARD FUNCTION TIMEOUT 600) # other build folders may be at it
  if(EXISTS ${stamp})
    file(READ ${stamp} fetched)
    if(fetched STREQUAL wanted)
      return()
    endif()
  endif()
  if(EXISTS ${failure} AND IMPINGE_WEB STREQUAL AUTO)
    file(READ ${failure} problem)
    set(${result} "${problem}" PARENT_SCOPE)
    return()
  endif()
  message(STATUS "impinge: fetching three.js and esbuild with npm")
  file(REMOVE ${stamp} ${failure})
  file(COPY ${IMPINGE_WEB_SOURCE}/package.json ${IMPINGE_WEB_SOURCE}/package-lock.json ${IMPINGE_WEB_SOURCE}/.npmrc
    DESTINATION ${IMPINGE_WEB_FOLDER})
  set(tried "`npm ci`")
  execute_process(COMMAND ${NPM_PROGRAM} ci --loglevel=error WORKING_DIRECTORY ${IMPINGE_WEB_FOLDER}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(status EQUAL 0) # esbuild may lack its program, or node be too old
    set(tried "`node build.mjs`")
    execute_process(
      COMMAND ${NODE_PROGRAM} ${IMPINGE_WEB_SOURCE}/build.mjs ${IMPINGE_WEB_FOLDER} ${IMPINGE_WEB_FOLDER}/trial
      RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  endif()
  if(NOT status EQUAL 0)
    impinge_find_reason("${output}" line)
    set(problem "${tried} failed (${status}): ${line}")
    file(WRITE ${failure} "${problem}")
    set(${result} "${problem}" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endfunction()

function(impinge_embed_page source)
  set(IMPINGE_HAS_PAGE OFF CACHE INTERNAL "Is the 3-D viewer part of this build?")
  file(REMOVE ${PROJECT_BINARY_DIR}/page-left-out)
  if(NOT IMPINGE_WEB) # OFF
    impinge_leave_out_page(${source} "IMPINGE_WEB is ${IMPINGE_WEB}" "To have it, configure with -DIMPINGE_WEB=AUTO.")
    return()
  endif()
  find_program(NODE_PROGRAM NAMES node nodejs)
  find_program(NPM_PROGRAM npm)
  if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
    impinge_leave_out_page(${source} "npm is not installed"
      "To have it, install nodejs and npm, and build again.")
    return()
  endif()
  impinge_fetch_packages(problem)
  if(problem)
    impinge_leave_out_page(${source} "${problem}"
"To have it, give npm what it lacks:
  npm config set cafile FILE      where a proxy has a certificate of its own, which FILE holds
  npm config set proxy URL        where only a proxy reaches the network
  npm config set registry URL     where there is a registry of your own
Then build again after this, without which npm is not asked again:
  rm ${IMPINGE_WEB_FOLDER}/failed")
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
