# SPDX-License-Identifier: Apache-2.0
# Keeps in the prefix what an installation put there, so that cmake/Uninstall.cmake can take it away
# again wherever the prefix has gone since: share/tulle/installed.txt names files and, with a slash at
# the end, folders that were not there before, relative to the prefix. Later installations add to it.
set(TULLE_RECORD ${CMAKE_INSTALL_DATADIR}/tulle/installed.txt)

# Before anything is installed: which folders of ours are missing.
function(tulle_note_missing_folders)
  set(destinations ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR}/tulle ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    ${CMAKE_INSTALL_LIBDIR}/cmake/Tulle ${CMAKE_INSTALL_INCLUDEDIR}/tulle ${CMAKE_INSTALL_DATADIR}/tulle
    ${CMAKE_INSTALL_DATADIR}/doc/tulle ${CMAKE_INSTALL_MANDIR}/man1
    ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(CODE "
    set(tulle_new_folders)
    foreach(folder IN ITEMS ${destinations})
      while(NOT folder STREQUAL \"\" AND NOT IS_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${folder}\")
        list(APPEND tulle_new_folders \"\${folder}/\")
        get_filename_component(folder \"\${folder}\" DIRECTORY)
      endwhile()
    endforeach()" ALL_COMPONENTS)
endfunction()

# After everything.
function(tulle_record_install)
  install(CODE "
    set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    set(entries \"\${tulle_new_folders}\")
    if(EXISTS \"\${root}/${TULLE_RECORD}\")
      file(STRINGS \"\${root}/${TULLE_RECORD}\" earlier)
      list(APPEND entries \${earlier})
    endif()
    foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
      file(RELATIVE_PATH file \"\${CMAKE_INSTALL_PREFIX}\" \"\${file}\")
      list(APPEND entries \"\${file}\")
    endforeach()
    list(APPEND entries ${TULLE_RECORD})
    list(REMOVE_DUPLICATES entries)
    list(SORT entries)
    list(JOIN entries \"\\n\" text)
    file(WRITE \"\${root}/${TULLE_RECORD}\" \"\${text}\\n\")" ALL_COMPONENTS)
endfunction()
