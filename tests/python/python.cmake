# SPDX-License-Identifier: Apache-2.0
# The package python/intervale over the shared library.  A sanitized library cannot be
# loaded into a Python that is not.
if(NOT INTERVALE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    iv_script_test(stopper python python/stopper.py ${PROJECT_SOURCE_DIR}
        $<TARGET_FILE:intervale_shared>)
    iv_script_test(layout python python/layout.py ${PROJECT_SOURCE_DIR}
        ${CMAKE_C_COMPILER} $<TARGET_FILE:intervale_shared>)
    iv_script_test(examples python python/examples.py ${PROJECT_SOURCE_DIR}
        $<TARGET_FILE:intervale_shared>)
    iv_script_test(claims python python/claims.py $<TARGET_FILE:intervale> ${PROJECT_SOURCE_DIR}
        $<TARGET_FILE:intervale_shared>)
    if(CMAKE_BUILD_TYPE STREQUAL Release) # it computes what the tool does, twice
        iv_script_test(packages python python/packages.py ${PROJECT_SOURCE_DIR}
            $<TARGET_FILE:intervale_shared> $<TARGET_FILE:intervale>
            ${PROJECT_BINARY_DIR}/python-packages pytest)
        # With Java, ranx' compiler and notebooks: minutes, most of them pip's.
        iv_script_test(partners python python/packages.py ${PROJECT_SOURCE_DIR}
            $<TARGET_FILE:intervale_shared> $<TARGET_FILE:intervale>
            ${PROJECT_BINARY_DIR}/python-partners partners)
        # Compiles the whole from its sdist: minutes.
        iv_script_test(wheel python python/wheel.py ${PROJECT_SOURCE_DIR})
        # A cluster of worker processes, one of which is killed: needs Java.
        iv_script_test(spark python python/packages.py ${PROJECT_SOURCE_DIR}
            $<TARGET_FILE:intervale_shared> $<TARGET_FILE:intervale>
            ${PROJECT_BINARY_DIR}/python-spark spark)
        set_tests_properties(python/packages python/partners python/wheel python/spark PROPERTIES
            SKIP_RETURN_CODE 77)
        iv_long_tests(python/partners python/wheel python/spark)
        iv_script_test(same_digits python python/same_digits.py $<TARGET_FILE:intervale>
            ${PROJECT_SOURCE_DIR} $<TARGET_FILE:intervale_shared>)
    endif()
endif()
