# SPDX-License-Identifier: Apache-2.0
# Every target is a libFuzzer program in the fuzz preset; in all others they
# are one program that replays the corpora.
set(fuzz_targets command csv groups inspect judgments labels matrix number options parts run
    sampled scores strata unpack)
if(INTERVALE_JUDGE)
    list(APPEND fuzz_targets archive documents http_parser references session)
endif()

set(INTERVALE_FUZZ_ENGINE -fsanitize=fuzzer CACHE STRING "What fuzz targets are linked with")
if(INTERVALE_FUZZ)
    foreach(name ${fuzz_targets})
        add_executable(fuzz_${name} fuzz/fuzz_${name}.c)
        target_link_options(fuzz_${name} PRIVATE ${INTERVALE_FUZZ_ENGINE})
        set(programs ${programs} fuzz_${name})
    endforeach()
else()
    set(programs fuzz_replay)
    add_executable(fuzz_replay fuzz/replay.c)
    target_compile_definitions(fuzz_replay PRIVATE INTERVALE_JUDGE=$<BOOL:${INTERVALE_JUDGE}>)
    foreach(name ${fuzz_targets})
        target_sources(fuzz_replay PRIVATE fuzz/fuzz_${name}.c)
        set_source_files_properties(fuzz/fuzz_${name}.c PROPERTIES
            COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=fuzz_${name})
    endforeach()
endif()
foreach(program ${programs})
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${program} PRIVATE iv_cli intervale_static iv_flags
        iv_optional m)
endforeach()

set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus)
if(INTERVALE_FUZZ)
    return()
elseif(INTERVALE_SANITIZE) # one start instead of many
    add_test(NAME fuzz/all COMMAND fuzz_replay ${corpus})
    set_tests_properties(fuzz/all PROPERTIES LABELS fuzz)
else()
    foreach(name ${fuzz_targets})
        add_test(NAME fuzz/${name} COMMAND fuzz_replay ${corpus} ${name})
        set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz)
    endforeach()
endif()
