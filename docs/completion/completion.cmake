# SPDX-License-Identifier: GPL-2.0-or-later
# TEMPLATE becomes OUTPUT: "@WORDS program verb@" is replaced by the option words that
# "LIBEXEC/program verb --options-as=words" prints, on one line.
file(READ ${TEMPLATE} text)
string(REGEX MATCHALL "@WORDS [^@\n]*@" marks "${text}")
foreach(mark IN LISTS marks)
	string(REGEX REPLACE "@WORDS ([^@]*)@" "\\1" words "${mark}")
	separate_arguments(command UNIX_COMMAND "${words}")
	execute_process(COMMAND ${LIBEXEC}/${command} --options-as=words
		OUTPUT_VARIABLE rows OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
	string(REPLACE "\n" " " rows "${rows}")
	string(REPLACE "${mark}" "${rows}" text "${text}")
endforeach()
file(WRITE ${OUTPUT} "${text}")
