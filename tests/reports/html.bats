#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The page: whole, self-contained, and shown by a real browser at all widths.

setup() {
	report=$XCS_LIBEXEC/xcs-report
	cd "$BATS_TEST_TMPDIR"
	"$XCS_RUN_WRITER" run
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
}

# refute COMMAND...: it must fail. (A plain "! command" fails no test unless it is the last line.)
refute() {
	! "$@"
}

teardown() {
	[ -z "${browser_pid:-}" ] || kill "$browser_pid" 2>/dev/null || true
}

# hostile: names that would be markup, script, or too wide
hostile() {
	python3 - run/run.json <<-'EOF'
	import json, sys
	run = json.load(open(sys.argv[1]))
	run["loads"][0]["id"] = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>'
	run["loads"][1]["id"] = "x" * 300
	run["plan"]["title"] = "</title><script>alert(3)</script>" + "w" * 400
	run["plan"]["command"] = "echo " + "y" * 900
	run["notes"] = ["&lt;b&gt; \u202e \u6f22\u5b57 e\u0301 " + "z" * 500]
	json.dump(run, open(sys.argv[1], "w"))
	EOF
}

# look_at FILE: tags balance, ids are unique, links lead somewhere, nothing comes from outside
look_at() {
	python3 - "$1" <<-'EOF'
	import re, sys
	from html.parser import HTMLParser
	void = {"meta", "br", "link", "img", "hr"}
	text = open(sys.argv[1], encoding="utf-8").read()
	class Page(HTMLParser):
	    def __init__(self):
	        super().__init__()
	        self.open, self.ids, self.links, self.tags = [], [], [], set()
	    def handle_starttag(self, tag, attrs, closed=False):
	        self.tags.add(tag)
	        for name, value in attrs:
	            assert not name.startswith("on"), (tag, name)
	            assert name not in ("src", "srcset", "action", "style", "background"), (tag, name)
	            if name == "id":
	                self.ids.append(value)
	            if name in ("href", "xlink:href"):
	                assert value.startswith("#"), value
	                self.links.append(value[1:])
	        if not closed and tag not in void:
	            self.open.append(tag)
	    def handle_startendtag(self, tag, attrs):
	        self.handle_starttag(tag, attrs, True)
	    def handle_endtag(self, tag):
	        assert self.open and self.open.pop() == tag, (tag, self.getpos())
	page = Page()
	page.feed(text)
	page.close()
	assert not page.open, page.open
	assert len(page.ids) == len(set(page.ids)), sorted(i for i in page.ids if page.ids.count(i) > 1)
	assert set(page.links) <= set(page.ids), set(page.links) - set(page.ids)
	assert not page.tags & {"script", "img", "iframe", "object", "embed", "link", "form", "base"}, page.tags
	for outside in ("url(", "@import", "http:", "https:", "javascript:"):
	    assert outside not in text, outside
	assert "rgb(" not in text and "gnuplot" not in text.lower()
	EOF
}

@test "the page is well-formed and needs nothing from outside, whatever the names" {
	"$report" report run -o page.html
	look_at page.html
	hostile
	"$report" report run -o page.html
	look_at page.html
	grep -q '&lt;script&gt;alert(1)' page.html
}

@test "every mark of a chart tells its numbers, and they stand in the table beside it" {
	"$report" report run -o page.html
	"$report" report run --json >report.json
	python3 - <<-'EOF'
	import json, re
	text = open("page.html", encoding="utf-8").read()
	charts = json.load(open("report.json"))["sections"]["charts"]["charts"]
	assert {c["kind"] for c in charts.values()} == {"sweep", "strip", "tail", "timeline"}
	for id, chart in charts.items():
	    figure = re.search(rf'<figure id="chart-{re.escape(id)}">.*?</figure>', text, re.S).group()
	    n = sum(len(s["points"]) for s in chart["series"])
	    tips = re.findall(r"<use [^>]*><title>([^<]*)</title></use>", figure)
	    assert len(tips) == n, (id, len(tips), n)
	    assert figure.count("<tr>") == n + 1, id
	sweep = charts["sweep_cs"]
	assert sweep["series"][0]["points"][0] == {"x": -10, "y": 25000, "low": 24750, "high": 25250, "label": "3 trials"}
	assert "xterm, X nice -10: 25000 1/s (24750..25250), 3 trials" in text
	EOF
}

# The page in frames of several widths: what each shows, as lines of text in the dumped page.
# The frames have the page's own policy; only the frame around them runs a script.
frames() {
	python3 - page.html >frames.html <<-'EOF'
	import html, sys
	page = html.escape(open(sys.argv[1], encoding="utf-8").read())
	print('<!DOCTYPE html><meta charset="utf-8"><body>')
	for width in (320, 768, 1440, 3840):
	    print(f'<iframe width="{width}" height="900" style="border:0" srcdoc="{page}"></iframe>')
	print("""<pre id="found"></pre><script>
	addEventListener("load", () => {
	  for (const frame of document.querySelectorAll("iframe")) {
	    const page = frame.contentDocument, root = page.documentElement;
	    const svg = page.querySelector("figure svg").getBoundingClientRect();
	    found.textContent += `width ${frame.width} scrolls ${root.scrollWidth > root.clientWidth}` +
	      ` dark ${getComputedStyle(root).backgroundColor !== "rgb(255, 255, 255)"}` +
	      ` chart ${svg.width > 200 && svg.height > 100}` +
	      ` line ${getComputedStyle(page.querySelector("figure use")).color}\\n`;
	  }
	});
	</script>""")
	EOF
}

# show NAME FLAGS...: the dumped page in NAME.dom, what the browser said in NAME.log
show() {
	local name=$1
	shift
	timeout 120 "${offline[@]}" chromium --headless=new --no-sandbox --disable-gpu \
		--user-data-dir="$PWD/profile" --enable-logging=stderr --v=0 --no-first-run \
		--disable-background-networking --dump-dom "$@" "file://$PWD/frames.html" \
		>"$name.dom" 2>"$name.log" </dev/null
}

@test "a browser shows it from 320 to 3840 px, light and dark, without a word or a request" {
	command -v chromium >/dev/null || skip "chromium is not installed"
	offline=()
	! unshare --net true 2>/dev/null || offline=(unshare --net)
	hostile
	"$report" report run -o page.html
	frames
	show light --blink-settings=preferredColorScheme=1
	show dark --blink-settings=preferredColorScheme=0
	for name in light dark; do
		refute grep -E 'CONSOLE.*source: (about:|file:|data:|,)' "$name.log"
		[ "$(grep -c 'scrolls false' "$name.dom")" -eq 4 ]
		[ "$(grep -c 'chart true' "$name.dom")" -eq 4 ]
		refute grep 'line rgb(0, 0, 0)' "$name.dom"
	done
	[ "$(grep -c 'dark false' light.dom)" -eq 4 ]
	[ "$(grep -c 'dark true' dark.dom)" -eq 4 ]
}
