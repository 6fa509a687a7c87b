"""Lines that only look like failures: they quote one (source code, shell traces, test rows), or say all is well.

What `quoted` knows is a listing, whose text counts for nothing; what stands in a frame (`around`) counts as harmless.
"""

from __future__ import annotations

import re

from neurontriage.expressions import expression
from neurontriage.facts.prompts import prompted
from neurontriage.lines.digits import by_form
from neurontriage.lines.words import Sought

# What a line of a listing starts with: the numbers of `cat -n`, `grep -n` and IPython, the sign of a diff.
_MARGIN = r"\s*(?:(?:[\w./-]+:)?\d+[:-]\s*|(?:-+>\s?)?\d+\s+|[-+]\s*)?"

# What stands behind such a margin, or behind none.
_LISTED = (
    r"raise ?[\w.]*\(",
    r"throw [\w:]+",
    r"except\b.*:\s*(?:#.*)?$",
    r"(?:el)?if\b.*:\s*(?:#.*)?$",
    r"(?:el)?if\b.*: ?(?:raise|return|assert) ?[\w.(]",
    r"(?:def|class) \w.*:\s*$",
    r"(?:print|f?printf|warnings\.warn|sys\.exit|assert|TORCH_CHECK|CHECK)\(",
    r"(?:self\.)?_?log(?:ger|ging)?(?:\.\w+)?\(",
    r"(?:\w+::)*(?:[DPV]?LOG|D?CHECK|[A-Z]+_(?:LOG|CHECK))\w*\(\w",
    r"(?:return|f?printf|echo) f?[\"']",
    r"(?://|#define |static const |std::cerr|#include )",
    r"\"\w+\": -?\d+,?\s*$",  # a table of codes
)
# A row of sizes, shares and times, whose first cell is a name.
_CELL = r"\s*[A-Za-z][\w./@+:-]{0,79}[\w./@+-]"
_AMOUNT = r"[\d.,]{1,16} ?(?:[kKMGT]?i?B|%|[mun]?s|x)?"
_APART_BY = r"(?: +|\t| ?[│|] ?)"
_PROGRAM = r"(?:[\w./~-]*/)?(?:python[\d.]*|(?:ba|z|da)?sh|pip|c?make|npm|node|cargo|go|docker|git|uv|env|sudo|pytest) "
# One alternative per kind of text; all but the last ones are tried at the start of the payload.
_START = (
    r"\s*\++ (?=\S)",  # bash -x
    rf"(?:[\w./:()\[\] -]{{1,80}} ?)?> {_PROGRAM}",  # what runs commands one by one shows each of them (nox, tox, npm)
    rf"[^\"':]{{0,80}}: [Ee]xecuting: (?:\[\"|{_PROGRAM})",
    r"\s*\d+\t",  # cat -n
    r"\s{0,8}(?:-+> |> )?\d{1,6} \|(?: {1,40}\S(?![^|]*\|[^|]*\|)|\s*$)",  # what rustc, GCC and Clang show of a source
    r"\s{0,8}\| {2,}[\^~|_-]",
    r"\s*(?:lambda: )?[rb]?f[\"'].*[\"'][,)]*$",  # a literal that goes on in the next line
    r"\s*[\"'].* [\"']$",
    r"\s*[A-Z_]{3,} = [\"'].*[\"']$",
    r"\s*[\w.]+(?:Error|Exception): if\b",  # a docstring
    r"\s{4,}[\w.]+(?:Error|Exception): (?:If|[Ww]hen|[Rr]aised)\b",
    r"\s+# |#+ (?=[a-z])",  # a comment
    r"\s+-{1,2}[A-Za-z][\w-]*(?:[ ,=]|$)",  # an option in a help text
    r"\s*[-*] No original module exists\b",  # DKMS before it installs
    r"\s*note: ",  # pip, cargo
    r"(?:# )?(?:FAIL|XPASS|ERROR): +0\s*$",  # automake's count of tests
    r"\s*[Ii]f [\w ]{1,40} (?:is|are) \w{1,20}, [a-z]",  # what would be done
    rf"{_CELL}(?: {{2,}}|\t| ?[│|] ?){_AMOUNT}(?:{_APART_BY}(?:\w{{1,8}}: {{1,4}})?{_AMOUNT}){{1,8}}[^\w\n]*$",
    r"\s*[^\s\d]\S*(?: \S+){1,30} \S*[^\s:=] {3,}\d{1,9}\s*$",  # how often a message was counted
    r"\s+\d{1,9}[x×] {1,4}[A-Za-z\[(]",
    r"\s*would (?:delete|remove|keep|skip|move|replace|update|create|overwrite)\b",  # what a dry run would do
    r"[\s{(]*(?:\"[^\" \n]* [^\"\n]*\"|'[^' \n]* [^'\n]*'): \d{1,9}[,})\]]*\s*$",
    r"\s*\d\. (?:loosen the range|remove package versions)\b",  # what pip proposes
    r"\s{12,}(?:error|critical|fatal): ",  # the text of --help
    r"\s*HEAD is now at ",
    r"\s+[a-z][\w.]{1,60} {3,}[A-Z]\w{1,40}Error\s*$",  # a setting, and the class of a loss
    # A setting that lists them.
    r"\s*[a-z][\w.-]{0,60}(?:errors?|exceptions?|codes?|patterns?)[\"']?\s{0,30}[=:] ?\[[\"']",
    r"(?:PROMPT|GOLD|PREDICTION|REFERENCE): ",  # of an evaluation
    r"plugins: (?:[\w.-]{1,60}-\d[\w.]*(?:, |\s*$)){1,40}$",  # the head of pytest
    r"Success: no issues found\b",  # mypy
    r"invoke-rc\.d: (?:could not determine current runlevel|policy-rc\.d denied execution of)\b",
    r"[Ii]f (?:the |your |a )?[a-z]{2,20} (?:crash|fail|die|hang|stall)(?:es|s)? with\b",  # what to do then
    r"Trial status: (?:\d{1,6} (?:TERMINATED|RUNNING|PENDING)(?: \| |\s*$)){1,3}$",  # of Ray Tune: those that ended
    r"#? ?Out of bounds values ?: 0 OK\b",  # nccl-tests
    r"Output exceeds the size limit\. Open the full output data\b",  # a notebook's editor
    # What is tidied up.
    r"(?:\[[\w.-]{1,30}\]:? )?(?:removing|deleting|purging|dropping|clearing) (?:\w+ )?"
    r"(?:stale|old|broken|expired|orphan\w*)\b",
    r"(?:stale|old|expired|orphan\w*) [\w./-]{1,60}, (?:removing|deleting|removed|deleted)\b",
    r"[\w./+-]{1,200}:\d+:(?:\d+:)? warning: .*\[-W(?!error)[\w+=-]{2,60}\]\s*$",  # of GCC and Clang
    # What apt says before it lists what does not go together.
    r"(?:Some packages could not be installed\. This may mean that you have|requested an impossible situation or if you"
    r"|distribution that some required packages have not yet|or been moved out of Incoming)\b",
    r"\s*Failing input written to ",  # Go's fuzzer, below why
    r"-- (?:Could NOT find|Looking for|Performing Test|Check(?:ing)?) ",  # what CMake asks of a system
    r"checking (?:for|whether|if|how) [^\n]{1,120}\.\.\. (?:\(cached\) )?no(?:ne)?(?: \([^)]*\))?\s*$",  # and autoconf
    r"\s*To [a-z][\w ,'-]{2,120}, (?:run|use|try|call|type|see)\b[^.:]{0,40}:\s*$",  # advice, above a command
    r"\s*[\[(<.…-][\[(<.… -]{0,8}(?:[\w,]{1,12} ){0,4}(?:truncated|omitted|elided|snipped)\b[\w ,]{0,20}[\])>.…-]+\s*$",
    r"\s*File [~/<]\S{1,200}:\d+, in [\w.<>]+\(",  # a frame of IPython, with the names of the arguments
    r"\s*\*+ (?:Begin|End) stack trace \*+\s*$",
    r"\s*For further information visit https?://",  # pydantic, whose address names the kind of error
    r"\s*(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,10} (?:\([^)]*\) )?[A-Za-z]\w+",  # git log --oneline
    r"\s*\d{7,10} (?:\([^)]*\) )?(?:Merge |(?!error|fatal|warn|crit|panic)[a-z]{2,12}(?:\([\w./-]{1,40}\))?!?: )",
    r"(?:>>>|In \[\d{1,5}\]:) (?=\S)",  # what is typed at Python's prompt
    r"\W{0,8}(?:(?:Fix(?:ed|es)?|Resolve[sd])\b|(?:bug)?fix(?:e[sd])?(?:\([\w./, -]{1,40}\))?!?: )",  # commits
    r"(?:[A-Z]\w{1,20}: )?(?:[Ww]hen|[Ii]f) you (?:see|get|encounter|hit)\b",
    r"(?:Users|You) (?:may|might) (?:see|get|encounter)\b",
    # What says how many messages are not shown, and how to have them shown: it speaks of messages.
    r"\s*(?:\[[^\]]{1,60}\] )?(?:Set|Use|Run|Re-?run|Pass|Add|Enable|Specify|Turn on)\b[^\n]{1,160}\b"
    r"(?:to|and) (?:see|show|display|print|view|list)\b[^.\n]{0,60}\b(?:messages|warnings|errors|details|notices)\b",
    r"\W{0,6}(?:\[[^\]]{1,60}\] )?\(?(?:and )?\d{1,9} (?:more|other|similar|further|additional|previous)\b"
    r"[^\n]{0,60}\b(?:messages?|warnings?|notices?)\b",
    r"\s*(?:\[[^\]]{1,60}\] )?\d{1,9} (?:\w+ )?(?:messages?|warnings?|lines?|notices?) (?:were |was |have been )?"
    r"(?:suppressed|omitted|hidden|filtered|collapsed|dropped)\b",
    r"\s*(?:PASSED|XFAIL|SKIPPED)\b(?!\s*(?:[:=]\s*)?\d)",  # a test, not how many
    r"\s*[QA]\d{0,4}: [A-Za-z\"'`]",  # somebody asks, or answers
    r"\s*\{\"(?:prompt|text|messages|instruction|question|input|completion)\": ",
    r"\s*(?:(?:Sample|Example|Doc) #?\d+: )?"
    r"(?:[Pp]rompt|Generated text|Completion|Response|Answer)s?\b ?[\d#]*[:=] ?[\"'\[]",
)
_ANYWHERE = (
    r"\s(?:PASSED|XFAIL|XPASS|SKIPPED)\b(?: \(.*\))?\s*(?:\[\s*\d+%\])?$",
    r"\s(?:(?i:expected[ _-]?fail(?:ure|ed)?)|SKIP|XFAIL)\b(?: {2,}.*|\W*)$",
    r" \.\.\. (?:ok|skipped\b.*)$",
    r"\b(?:[Ee]xpected(?:ly)?|[Kk]nown)[ _-][Ff]ail(?:ed|ures?|s)?\s*[:=]\s*\d",  # how many of them (lit)
    r"(?:\|\||&&)\s*[({]?\s*echo [\"']",
    r"\"pattern\": ?\"",  # the rules of a log watcher
    r"\((?:caught|expected|handled|tolerated|ignored|test passed|injected|simulated|intentional)(?: here)?\)\.?\s*$",
    r"[,;] using the default\W*$",
    r"\b(?:rejected|refused|raised|raises|threw|denied|blocked)"
    r" (?:with \S{1,20} )?as (?:expected|intended|planned|specified|designed)\b",
)
# Words that frame a failure so that it is none, at the start of the payload.
_FRAME = (
    r"\W{0,3}[Dd]ry[- ]?[Rr]un\b",
    r"[^:\"']{0,40}\bwould (?:have )?(?:raised?|fail(?:ed)?|abort(?:ed)?|throw|crash(?:ed)?|be killed)\b",
    r"(?![^:]*\b(?:not?|never|without|instead|missing)\b)[^:]{0,40}\b(?i:expected|intended|intentional|deliberate"
    r"|simulated|injected) (?:\w+ )?(?:exception|error|failure|crash|abort|fault)s?\b[^:\n]{0,30}: ",
    r"\W{0,3}(?:[A-Z]{4,8}:? )?(?i:caught|ignor(?:ed|ing)|swallowed|suppressed|tolerated)\b.*[;,.] (?:now )?"
    r"(?i:using|falling back|switching|trying|going|carrying|continuing)\b[^;:\n]{0,60}$",
    # What a person asks, or tells of own tries, in an issue or a mail.
    r"(?:Did|Do|Does|Has|Have|Is|Are|Could|Can|Any(?:one|body)?|Why|How|What|Which|Should|Would) [a-z][^:\n]{8,300}"
    r"\?(?:\s|$)|(?:I|We|I'm|We're|I've|We've)(?: (?:also|still|only|just|now|always|never))? (?:do not|did|am|are|have"
    r"|had|get|got|see|saw|tried|try|use|used|run|ran|think|believe|noticed|upgraded|installed|suspect|keep|wonder)\b"
    r"[^:\n]{0,400}[.?!]\s*$",
    r"\s*<(?:li|td|th|code|pre|dt|dd|option|summary|blockquote)\b[^>]*>.*</\w+>\s*$",
    r"\s*\|.*\|\s*0\s*\|\s*$",  # a row of a table that counts none
    # A condition of Kubernetes that is bad where it holds, and does not.
    r"\s*Type:\s{1,20}(?:Evicted|Failed|Failure\w*|Degraded|Suspended|DisruptionTarget|Stalled|\w*(?:Pressure|Unavailable|Problem))"
    r"\s{1,20}Status:\s{1,20}False\b",
    # A comment, but for what the Java machine prints when it dies.
    r"#{1,6} (?=[A-Z\[])(?!A fatal|There is|Native mem|SIG|JRE|Java|Problem|Core dump|If you|The crash|Poss|Out of)",
)
# The head of a table: names of columns, and no words of a sentence.
_COLUMNS = expression(
    r"\s*(?!(?i:error|fatal|warning|panic|log|failed|exception)\b)"
    r"(?:[#(]?[A-Za-z](?:[\w/()%#-]|:(?=\w)){0,15}:?(?: +|\s*$)){5,40}"
)
_BARRED = expression(r"\|(?: *[A-Za-z][\w/()%#@. -]{0,24}\|){3,40} *$")
_APART = expression(r"[^\s:] {2,}\S")  # behind a colon stands what a label says
_SENTENCE = expression(r"(?i)\b(?:is|are|was|were|the|an?|to|of|in|for|not|no|cannot|could|failed|with|by|and|at|on)\b")
_FRAMES = Sought("|".join(_FRAME), expression)
# A text that a line names as what is sought, asked or generated, or that it quotes as code.
_VALUES = Sought(
    r"\b(?:[Pp]rompt|[Qq]uestion|[Qq]uery|[Pp]atterns?|[Mm]atch(?:es)?|[Rr]egexp?|[Tt]ext|[Ss]ample|[Ee]xample|[Ss]nippet"
    r"|[Ii]nstruction|[Cc]ompletion|[Gg]enerated|[Cc]aption|[Ff]ilter|[Ee]xpr|[Dd]efault)(?: #?\d{1,9})?[\"']? ?[=:] ?"
    r"(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|\b0 (?:lines?|hits?|match(?:es)?|occurrences?|alerts?)\b[^\"'\n]{0,30}(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|`[^`\n]{1,80} [^`\n]*`"
)
_QUOTES = "\"'`"
_ILL = Sought(
    r"(?i)\b(?:\w*(?:error|exception)s?|fail\w*|can(?:not|'t)|unable|abort\w*|fatal|crash\w*|killed|denied|refused|invalid"
    r"|missing|not|exceed\w*|time[d ]? ?out|traceback|panic\w*|critical)\b"
)
_ISSUED = Sought(
    r"(?:^|[\s:>|])[A-Z]\w*Warning: "
    r"|(?:Use of uninitialized value|Argument \".{0,80}\" isn't|Odd number of elements|Wide character in"
    r"|Deep recursion on|Subroutine \S{1,80} redefined|Useless use of|Unquoted string|Name \".{0,80}\" used only once)"
    r".* at \S+ line \d"
)
# A web server names the client whose request it could not serve (nginx, Apache).
_REQUEST = Sought(r", client: [\w.:]{3,60}, .{0,200}\brequest: \"[A-Z]{3,8} |\[client [\w.:]{3,60}\] ")
_STARTS = expression("|".join((*_START, f"{_MARGIN}(?:{'|'.join(_LISTED)})")), re.ASCII)
_HOLDS = Sought("|".join(_ANYWHERE))


@by_form(512)
def quoted(payload: str) -> bool:
    """Whether a line, without its launcher prefixes, only quotes whatever failure its text holds."""
    if _STARTS.match(payload) or _HOLDS.search(payload):
        return True
    return _columns(payload) or prompted(payload)


def _columns(payload: str) -> bool:
    """Whether a line names the columns of the table below it."""
    if payload[:1] == "|" and _BARRED.match(payload):
        return True
    whole = "  " in payload and _COLUMNS.fullmatch(payload) is not None
    return whole and _APART.search(payload) is not None and not _SENTENCE.search(payload)


def around(payload: str) -> str | None:
    """What a line says around the text that it frames as no failure of its own; None where it frames none."""
    if _FRAMES.match(payload):
        return ""
    if not any(map(payload.__contains__, _QUOTES)):
        return None
    at, outside, framed = 0, [], False
    while found := _VALUES.search(payload[at:]):
        code = found.group().startswith("`") and not _ILL.search(found.group())  # names are in back-ticks, too
        outside.append(payload[at : at + (found.end() if code else found.start())])
        at, framed = at + found.end(), framed or not code
    rest = " ".join([*outside, payload[at:]])
    return rest if framed and not _ILL.search(rest) else None


def issued(text: str) -> bool:
    """Whether a line is a warning of Python's warnings module or of Perl, which go on whatever its text says."""
    return _ISSUED.search(text) is not None


@by_form(1024)
def asked(text: str) -> bool:
    """Whether a line is what a web server says of the request of one client."""
    return _REQUEST.search(text) is not None
