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

_xcsbench() {
	local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}
	COMPREPLY=()
	if [ "$COMP_CWORD" -le 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_xcsbench_words '')" -- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_xcsbench_words "$verb")" -- "$word")
		[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace
	elif [ "$verb" = run ]; then
		mapfile -t COMPREPLY < <(compgen -f -W "$(xcsbench list 2>/dev/null | cut -d' ' -f1)" -- "$word")
	elif [ "$verb" = list ]; then
		mapfile -t COMPREPLY < <(compgen -W "scenarios terminals references" -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -F _xcsbench xcsbench
