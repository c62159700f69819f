# What is installed beside the command: pages of the manual for `man`, and completions for shells.
find_program(AWK_PROGRAM awk)
string(TIMESTAMP manual_date "%Y-%m-%d" UTC) # SOURCE_DATE_EPOCH decides where it is set
file(GLOB manual_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/manual/*.md)
if(NOT TARGET impinge_mpi)
  list(FILTER manual_sources EXCLUDE REGEX "/impinge-mpi\\.md$")
endif()
list(TRANSFORM manual_sources REPLACE "^.*/(.*)\\.md$" "\\1" OUTPUT_VARIABLE page_names)
list(JOIN page_names " " page_list)
set(manual_pages)
if(AWK_PROGRAM)
  foreach(name ${page_names})
    set(page ${PROJECT_BINARY_DIR}/man/${name}.1)
    add_custom_command(OUTPUT ${page}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
      COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${AWK_PROGRAM} -v version=${PROJECT_VERSION} -v date=${manual_date}
        -v "pages=${page_list}" -f ${PROJECT_SOURCE_DIR}/scripts/manual-page.awk
        ${PROJECT_SOURCE_DIR}/docs/manual/${name}.md > ${page}
      DEPENDS ${PROJECT_SOURCE_DIR}/docs/manual/${name}.md ${PROJECT_SOURCE_DIR}/scripts/manual-page.awk
      VERBATIM)
    list(APPEND manual_pages ${page})
  endforeach()
  install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
else()
  message(STATUS "impinge: pages for man are left out: install awk")
endif()

set(completions)
if(NOT CMAKE_CROSSCOMPILING) # the program prints them
  # impinge_completion(SHELL FILE FOLDER)
  function(impinge_completion shell file folder)
    set(script ${PROJECT_BINARY_DIR}/completions/${file})
    add_custom_command(OUTPUT ${script}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completions
      COMMAND impinge_command completion ${shell} > ${script}
      DEPENDS impinge_command VERBATIM)
    install(FILES ${script} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
    set(completions ${completions} ${script} PARENT_SCOPE)
  endfunction()
  impinge_completion(bash impinge bash-completion/completions)
  impinge_completion(zsh _impinge zsh/site-functions)
  impinge_completion(fish impinge.fish fish/vendor_completions.d)
endif()

add_custom_target(impinge_command_files ALL DEPENDS ${manual_pages} ${completions})
