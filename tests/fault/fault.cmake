# SPDX-License-Identifier: Apache-2.0
# A program whose allocations, and calls of the system, fail when told to.
add_executable(test_fault fault/test_fault.c fault/test_memory.c
    fault/test_writing.c fault/test_estimate_memory.c fault/test_commands.c fault/wrap.c)
target_include_directories(test_fault PRIVATE ${PROJECT_SOURCE_DIR}/src
    ${CMAKE_CURRENT_SOURCE_DIR}/unit)
target_compile_definitions(test_fault PRIVATE INTERVALE_JUDGE=$<BOOL:${INTERVALE_JUDGE}>)
target_link_libraries(test_fault PRIVATE iv_cli intervale_static iv_flags
    PkgConfig::CMOCKA iv_optional m)
foreach(name malloc calloc realloc posix_memalign strdup strndup read pread fsync rename)
    target_link_options(test_fault PRIVATE -Wl,--wrap=${name})
endforeach()
add_test(NAME fault/all COMMAND test_fault)
foreach(which system some many)
    add_test(NAME fault/commands_${which} COMMAND test_fault ${which})
endforeach()
set_tests_properties(fault/all fault/commands_system fault/commands_some fault/commands_many PROPERTIES LABELS fault)
iv_long_tests(fault/commands_many)
set_tests_properties(fault/commands_many PROPERTIES TIMEOUT 7200)

# A session to judge in: killed, without power, on a disk that refuses.
if(INTERVALE_JUDGE)
    add_executable(test_judge_disk fault/test_judge_disk.c fault/disk.c)
    target_include_directories(test_judge_disk PRIVATE ${PROJECT_SOURCE_DIR}/src
        ${CMAKE_CURRENT_SOURCE_DIR}/unit)
    target_link_libraries(test_judge_disk PRIVATE intervale_judge iv_flags PkgConfig::CMOCKA m)
    add_test(NAME fault/judge_disk COMMAND test_judge_disk)
    add_test(NAME fault/judge_disk_long COMMAND test_judge_disk 1000 10000)
    set_tests_properties(fault/judge_disk fault/judge_disk_long PROPERTIES LABELS fault)
    iv_long_tests(fault/judge_disk_long)
    set_tests_properties(fault/judge_disk_long PROPERTIES TIMEOUT 7200)
endif()
