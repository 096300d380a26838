# SPDX-License-Identifier: GPL-2.0-or-later
# Compiler settings and the two ways to declare code: a room's library and a program.

option(XCS_WERROR "Treat warnings as errors" OFF)
option(XCS_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON) # the include fence is tested with it

# The build tree has the layout of the installed tree, so that `xcsbench` finds its
# siblings the same way in both: bin/../libexec/xcsbench.
set(XCS_BIN_DIR ${CMAKE_BINARY_DIR}/bin)
set(XCS_LIBEXEC_DIR ${CMAKE_BINARY_DIR}/libexec/xcsbench)
set(XCS_DATA_DIR ${CMAKE_BINARY_DIR}/share/xcsbench)

add_library(xcs_flags INTERFACE)
target_compile_definitions(xcs_flags INTERFACE
	_GNU_SOURCE _FILE_OFFSET_BITS=64 XCS_VERSION="${PROJECT_VERSION}")
target_compile_options(xcs_flags INTERFACE
	-Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wformat=2
	$<$<BOOL:${XCS_WERROR}>:-Werror>)
if(XCS_SANITIZE)
	target_compile_options(xcs_flags INTERFACE
		-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
	target_link_options(xcs_flags INTERFACE -fsanitize=address,undefined)
endif()

# xcs_room(NAME SOURCES file... ROOMS room... LIBS library...)
# Makes library xcs_NAME. It publishes only its own include folder. ROOMS are public
# dependencies (their headers stand in ours); LIBS are third-party and stay private.
function(xcs_room name)
	cmake_parse_arguments(arg "" "" "SOURCES;ROOMS;LIBS" ${ARGN})
	add_library(xcs_${name} STATIC ${arg_SOURCES})
	target_include_directories(xcs_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)
	list(TRANSFORM arg_ROOMS PREPEND xcs_)
	target_link_libraries(xcs_${name} PUBLIC ${arg_ROOMS} PRIVATE xcs_flags ${arg_LIBS})
endfunction()

# xcs_program(NAME SOURCES file... ROOMS room... LIBS library... [VISIBLE])
# Makes program NAME in libexec/xcsbench, or in bin when VISIBLE.
function(xcs_program name)
	cmake_parse_arguments(arg "VISIBLE" "" "SOURCES;ROOMS;LIBS" ${ARGN})
	add_executable(${name} ${arg_SOURCES})
	list(TRANSFORM arg_ROOMS PREPEND xcs_)
	target_link_libraries(${name} PRIVATE xcs_flags ${arg_ROOMS} ${arg_LIBS})
	if(arg_VISIBLE)
		set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${XCS_BIN_DIR})
		install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
	else()
		set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${XCS_LIBEXEC_DIR})
		install(TARGETS ${name} RUNTIME DESTINATION libexec/xcsbench)
	endif()
endfunction()
