# SPDX-License-Identifier: Apache-2.0
# The tool as a user meets it.  A sanitized tool takes seconds to start, so it
# is tested from within: unit/cli, fault/all, fuzz/all.
if(NOT INTERVALE_SANITIZE)
    iv_script_test(golden cli cli/golden.py $<TARGET_FILE:intervale>
        ${CMAKE_CURRENT_SOURCE_DIR}/cli/cases ${CMAKE_CURRENT_SOURCE_DIR}/data)
    if(CMAKE_SYSTEM_NAME STREQUAL Linux AND NOT CMAKE_CROSSCOMPILING)
        add_library(other_qsort MODULE cli/other_qsort.c)
        iv_script_test(other_qsort cli cli/golden.py $<TARGET_FILE:intervale>
            ${CMAKE_CURRENT_SOURCE_DIR}/cli/cases ${CMAKE_CURRENT_SOURCE_DIR}/data)
        set_tests_properties(cli/other_qsort PROPERTIES
            ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:other_qsort>)
    endif()
    foreach(name interval_methods failures malformed robust same_bytes same_errors score_formats gate decisions cites large
            scale coverage_warnings messages answers checks method_lines misled pools terminal_bytes watch)
        iv_script_test(${name} cli cli/${name}.py $<TARGET_FILE:intervale>)
    endforeach()
    iv_script_test(score_logs cli cli/score_logs.py $<TARGET_FILE:intervale>
        ${CMAKE_CURRENT_SOURCE_DIR}/data)
    iv_script_test(judged cli cli/judged.py $<TARGET_FILE:intervale>)
    iv_script_test(rankings cli cli/rankings.py $<TARGET_FILE:intervale>)
    iv_script_test(gate_cells cli cli/gate_cells.py $<TARGET_FILE:intervale> ${PROJECT_SOURCE_DIR})
    iv_script_test(families cli cli/families.py $<TARGET_FILE:intervale>)
    iv_script_test(agents cli cli/agents.py $<TARGET_FILE:intervale>
        ${CMAKE_CURRENT_SOURCE_DIR}/oracle)
    iv_script_test(classify cli cli/classify.py $<TARGET_FILE:intervale>
        ${CMAKE_CURRENT_SOURCE_DIR}/oracle)
    iv_script_test(prefer cli cli/prefer.py $<TARGET_FILE:intervale>
        ${CMAKE_CURRENT_SOURCE_DIR}/oracle)
    iv_script_test(scale_golden cli cli/scale_golden.py $<TARGET_FILE:intervale>
        ${CMAKE_CURRENT_SOURCE_DIR}/golden/trec_eval ${CMAKE_CURRENT_SOURCE_DIR}/golden/recorded)
    iv_script_test(recipes cli cli/recipes.py $<TARGET_FILE:intervale> ${PROJECT_SOURCE_DIR})
    iv_script_test(action cli cli/action.py $<TARGET_FILE:intervale> ${PROJECT_SOURCE_DIR})
    iv_script_test(setup cli cli/setup.py ${PROJECT_SOURCE_DIR})
    if(CMAKE_BUILD_TYPE STREQUAL Release) # some examples are large
        iv_script_test(examples cli cli/run_examples.py $<TARGET_FILE:intervale>
            ${PROJECT_SOURCE_DIR})
        iv_script_test(paper cli cli/paper.py $<TARGET_FILE:intervale>)
        set_tests_properties(cli/paper PROPERTIES SKIP_RETURN_CODE 77)
        iv_script_test(papers cli cli/papers.py $<TARGET_FILE:intervale>)
        iv_script_test(schema cli cli/schema.py $<TARGET_FILE:intervale> ${PROJECT_SOURCE_DIR})
    endif()
endif()
