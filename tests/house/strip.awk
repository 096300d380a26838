# SPDX-License-Identifier: GPL-2.0-or-later
# Blanks the comments of C sources, and with -v strings=blank the text in quotes too, and
# prints FILE:LINE:TEXT, so that a search does not find what is only talked about.
FNR == 1 { in_comment = 0 }
{
	out = ""
	rest = $0
	while (rest != "") {
		if (in_comment) {
			end = index(rest, "*/")
			if (!end)
				break
			rest = substr(rest, end + 2)
			in_comment = 0
		} else if (match(rest, /\/\*|\/\/|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
			out = out substr(rest, 1, RSTART - 1)
			found = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			if (found == "/*")
				in_comment = 1
			else if (found == "//")
				rest = ""
			else
				out = out (strings == "blank" ? "\"\"" : found)
		} else {
			out = out rest
			rest = ""
		}
	}
	if (out ~ /[^ \t]/)
		print FILENAME ":" FNR ":" out
}
