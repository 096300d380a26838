# SPDX-License-Identifier: GPL-2.0-or-later
# TEMPLATE, an scdoc source, becomes the man page OUTPUT. A line "@OPTIONS program verb@" is
# replaced by what "LIBEXEC/program verb --options-as=scdoc" prints.
file(READ ${TEMPLATE} text)
string(REGEX MATCHALL "@OPTIONS [^@\n]*@\n" marks "${text}")
foreach(mark IN LISTS marks)
	string(REGEX REPLACE "@OPTIONS ([^@]*)@\n" "\\1" words "${mark}")
	separate_arguments(command UNIX_COMMAND "${words}")
	execute_process(COMMAND ${LIBEXEC}/${command} --options-as=scdoc
		OUTPUT_VARIABLE rows COMMAND_ERROR_IS_FATAL ANY)
	string(REPLACE "${mark}" "${rows}" text "${text}")
endforeach()
file(WRITE ${OUTPUT}.scd "${text}")
execute_process(COMMAND ${SCDOC} INPUT_FILE ${OUTPUT}.scd OUTPUT_FILE ${OUTPUT}
	RESULT_VARIABLE status)
if(NOT status EQUAL 0)
	file(REMOVE ${OUTPUT})
	message(FATAL_ERROR "scdoc refuses ${OUTPUT}.scd, made from ${TEMPLATE}")
endif()
file(REMOVE ${OUTPUT}.scd)
