# SPDX-License-Identifier: Apache-2.0
# The harness of `make corpus`, and some of its quicker programs where they are installed.
if(TARGET tulle_command)
  add_test(NAME programs/corpus.harness
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/harness_test.py $<TARGET_FILE:tulle_command>)
  set_tests_properties(programs/corpus.harness PROPERTIES TIMEOUT 120 LABELS programs)
  add_test(NAME programs/corpus
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py --tulle $<TARGET_FILE:tulle_command>
      --folder ${CMAKE_CURRENT_BINARY_DIR}/corpus --installed --rounds 1 --situations "2 threads,16 threads"
      --only "GraphicsMagick,gettext,CD-HIT,MMseqs2,MEGAHIT,xtb,ngspice,CDO,plastimatch")
  set_tests_properties(programs/corpus PROPERTIES TIMEOUT 900 LABELS programs SKIP_RETURN_CODE 77)
endif()
