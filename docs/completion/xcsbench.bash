# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# bash completion for xcsbench; the option words are written in at build time.

_xcsbench_words() {
	case $1 in
	run) echo "@WORDS xcs-run run@" ;;
	list) echo "@WORDS xcs-run list@" ;;
	doctor) echo "@WORDS xcs-run doctor@" ;;
	restore) echo "@WORDS xcs-run restore@" ;;
	sample) echo "@WORDS xcs-sample@" ;;
	compare) echo "@WORDS xcs-report compare@" ;;
	report) echo "@WORDS xcs-report report@" ;;
	import) echo "@WORDS xcs-report import@" ;;
	schema) echo "@WORDS xcs-report schema@" ;;
	*) echo "run list doctor restore sample compare report import schema --help --version" ;;
	esac
}

# What an operand of a verb may be, beside the name of a file.
_xcsbench_operands() {
	case $1 in
	run) xcsbench list 2>/dev/null | cut -d' ' -f1 ;;
	list) echo "scenarios terminals references" ;;
	import) echo "vmstat hyperfine perf-stat sar samples" ;;
	schema) echo "run report reference" ;;
	esac
}

# _xcsbench_values VERB OPTION: the values of an option that has a choice of them.
_xcsbench_values() {
	local candidate
	for candidate in $(_xcsbench_words "$1"); do
		[[ $candidate != "$2="?* ]] || echo "${candidate#*=}"
	done
}

_xcsbench() {
	local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} option="" words
	COMPREPLY=()
	# Where "=" breaks words, as it does by default, --server=x is three of them.
	if [ "$COMP_CWORD" -ge 3 ] && [ "$word" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 1]} word=""
	elif [ "$COMP_CWORD" -ge 4 ] && [ "${COMP_WORDS[COMP_CWORD - 1]}" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [ "$COMP_CWORD" -le 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_xcsbench_words '')" -- "$word")
	elif [ -n "$option" ]; then
		words=$(_xcsbench_values "$verb" "$option")
		if [ -n "$words" ]; then
			mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
		fi
	elif [[ $word == -* ]]; then
		words=$(_xcsbench_words "$verb")
		# Values only behind their option, where "=" is no break.
		[[ $word == *=* ]] || words=$(tr ' ' '\n' <<<"$words" | grep -v '=.')
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
		[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace
	else
		case $verb in
		list | schema) mapfile -t COMPREPLY < <(compgen -W "$(_xcsbench_operands "$verb")" -- "$word") ;;
		*) mapfile -t COMPREPLY < <(compgen -f -W "$(_xcsbench_operands "$verb")" -- "$word") ;;
		esac
	fi
}

complete -F _xcsbench xcsbench
