"""The shapes of what launchers, loggers and terminals put before a payload, by the kind of their first character."""

from __future__ import annotations

from neurontriage.lines.levels import ANY, OTHER, USUAL

_LEVEL = f"(?P<level>{USUAL})"
_ISO = r"(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)"
_IP = r"(?:, ip=(?P<host>[\w.:-]+))?"
_WORKER = r"(?:(?!W-\d)[\w-]+-std(?:out|err)|PyProcess|PythonWorker|W-\d[\w.-]*)"
_LOGGER = r"\s*(?:::?|-|\|)\s*(?:[A-Za-z_][\w.]*(?::\d+)?(?: (?:-|\|) |\|))?"
_MARKS = "✅|✔|✓|⚠|ℹ"  # the marks of what failed stay: they are words of failure
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d+)?"

# Any logger's header by its shape: a time, then whatever names the place, and a level; or the level first. Times that
# a colon ends, with AM or PM, and those of the compiler (`…Z INFO 4411 [`) start a log family and stay.
_ANY_TIME = (
    r"[\[(]?(?!\S+ \S+: |\S+ \S+ [AP]M|\S+Z [A-Z]+ \d+ )"
    r"(?:(?P<time>\d{4}[-/]\d\d[-/]\d\d[T :]\d\d:\d\d:\d\d(?:[.,]\d+)?"
    r"(?:Z| ?[+-]\d\d:?\d\d| UTC(?:[+-]\d{4})?)?)"
    r"|(?:\d\d[-/.]\d\d(?:[-/.]\d\d(?:\d\d)?)? )?\d\d:\d\d:\d\d(?:[.,]\d+)?)[\])]?"
)
_ANY_LEVEL = (
    r"(?:[\[(<](?P<level>[IWEFDC]|(?i:" + ANY + r"))(?:(?<=[a-z]) {1,6})?[\])>]"  # structlog pads it
    r"|(?P<level_>" + ANY + r")(?=[ |:])"
    r"|(?:(?<=\|)|(?<=\| ))(?P<level__>(?i:" + ANY + r"))(?= {0,8}\|)(?: {1,8}(?=\|))?)"  # NLog, and tables of bars
)
# A hyphen may stand in a name: it only parts names where a blank is beside it, so that each line is read in one way.
_APART = r"(?: ?[|:]{1,3} ?| -{1,3} ?|- | {1,3}|(?<=\])(?=\[))"
_PART = r"(?:[\[(<][^\[\]()<>\n]{1,60}[\])>]|[\w.@/#](?:[\w.@/#-]{0,38}[\w.@/#])?)"
_SITE = r"[\[(][a-z_][\w./-]*(?::\d+)?[\])]|[A-Za-z][\w./-]{0,40}:\d+|\w+(?:[.:]\w+)+(?= ?[|-] |\|)"
_WHERE = rf"(?:(?:{_SITE})(?: ?[|:-] ?| )){{0,3}}"
_ANY = (
    _ANY_TIME
    + r"(?! std(?:out|err) [FP] )(?:"  # a container's stream, which has a header of its own
    + _APART
    + _PART
    + "){0,3}?"
    + f"(?:{_APART}|-)"
    + _ANY_LEVEL
    + r"(?!:\w+:|(?<=\w) \d{2,4}-\d\d)(?: ?[|:-]+ ?| {1,5})(?!\||\d+ \[)"
    + _WHERE,
    _ANY_LEVEL + _APART + _ANY_TIME + _APART + _WHERE,
)

# A row of the events of Kubernetes that informs, up to its reason; one that warns is read by its grammar.
_EVENT = r"(?P<level>Normal) {1,12}[A-Z][A-Za-z]{2,40} {1,24}(?=\S)"

# Headers with the level in brackets of its own, beside others or a time; forms of known loggers.
_OTHERS = r"\[[\w .:/,@#+-]{1,60}\]:? ?"
_BRACKETS = rf"(?:{_OTHERS}){{1,4}}\[(?P<level>[IWEF]|(?i:{ANY}))\]:? {{0,3}}(?:{_OTHERS}){{0,3}}(?=\S)"
_ENCLOSED = rf"\[(?:\d{{4}}-\d\d-\d\d[ T])?{_CLOCK}(?: [+-]\d\d:?\d\d)? (?P<level>[IWEF]|(?i:{ANY}))\] "
_NUMBERED = rf"\[(?P<level>{USUAL})\] \[\d{{10}}\.\d{{3,9}}\](?: \[[\w./-]{{1,60}}\])?: "  # ROS
_STARRED = rf"\*{{1,3}} ?(?P<level>{USUAL}) ?\*{{1,3}}:? {{0,3}}(?=\S)"
_LETTER = (
    rf"(?:\d{{4}}-\d\d-\d\d[ T])?{_CLOCK} {{1,2}}(?P<level>[DIWEF]) {{1,3}}(?=[\w/\"'(])(?:[a-z][\w./-]{{1,30}}: )?"
)
_ANDROID = rf"\d\d-\d\d {_CLOCK} {{1,5}}\d{{1,7}} {{1,5}}\d{{1,7}} (?P<level>[VDIWEF]) [\w./-]{{1,40}} {{0,8}}: "
_RUBY = r"(?P<level>[DIWEF]), \[[^\]\n]{10,60}\] {1,3}[A-Z]{4,5} -- [^:\n]{0,40}: "
_GLIB = (  # whose critical warnings end nobody by themselves: two stars are their level
    r"\((?P<process>[\w.-]{1,40}):\d{1,8}\): (?:[\w-]{1,30}-)?"
    r"(?:(?P<level>WARNING|ERROR|INFO|DEBUG) \*\*|CRITICAL (?P<level_>\*\*)): (?:\d\d:\d\d:\d\d\.\d{3}: )?"
)
_SYSLOG = (  # RFC 5424
    r"(?P<level><\d{1,3}>)\d (?P<time>\S{20,35}) (?P<host>\S{1,80}) (?P<process>\S{1,48}) \S{1,40} \S{1,40} "
    r"(?:-|\[[^\]\n]{0,200}\]) "
)
_ONNX = rf"\d{{4}}-\d\d-\d\d {_CLOCK} \[(?P<level>[VIWEF]):[\w.-]{{1,40}}:[^\]\n]{{0,80}}\] "
_GSTREAMER = (
    r"\d:\d\d:\d\d\.\d{9} {1,8}\d{1,7} {1,8}\dx[\da-f]{3,16} (?P<level>"
    + USUAL
    + r"|LOG|FIXME) {1,20}\S{1,40} \S{1,80}: "
)
_CTIME = rf"[A-Z][a-z]{{2}} [A-Z][a-z]{{2}} [ \d]?\d {_CLOCK}(?: [A-Z]{{3,4}})? \d{{4}}:? (?=\[?(?:{USUAL})\b)"

# A tag in brackets, the name of a program or a mark, where the message calls itself by a level behind it. Behind a name
# `error:` stays: it is the form of compilers and commands, which their grammars know.
_CALLED = (
    r"(?:"
    + USUAL
    + r"|PANIC) {1,3}(?:[a-z(]|\d{1,6} [a-z])|(?:FATAL ERROR|[Ff]atal|panic|PANIC|critical|Error response from daemon|"
    + USUAL
    + r"): {1,4}\S"
)
_TAG = r"\[[A-Za-z][\w .:/#@-]{0,40}\]:? ?"
_TAGGED = rf"{_TAG}(?=(?:{_TAG}){{0,2}}(?:{_CALLED}|(?:[Ff]atal )?[Ee]rror: {{1,4}}\S))"
_NAMED = (
    r"(?!(?:modprobe|rmmod|insmod|depmod): )[A-Za-z][\w./@-]{1,60}(?:\[\d{1,8}\])?:(?:[\w./-]{1,60}:(?:\d{1,6}:)?)? "
    rf"(?={_CALLED})"
)
_MARKED = rf"(?:[*=!#-]{{1,5}}>?|>{{2,3}}) {{0,2}}(?={_CALLED})"

# One alternative per launcher or logger, the name of the tool beside it, by the kind of its first character; each is
# tried at the start of the text until none fits, so they nest in any order.
SHAPES = {
    "[": (
        r"\[[Rr]ank[ :_]?(?P<rank>\d+)\]:?\s?",  # torch 2.2 and later
        r"\[(?:default|stdout|stderr)?(?P<rank>\d+)\](?:<std(?:out|err)>)?:",  # torchrun --tee, deepspeed, Horovod
        r"\[(?P<rank>\d{1,4})\] (?=[IWEF](?:\d{4})? \d\d:\d\d)",  # glog's form behind the number of a peer
        r"\[\d+,(?:mpirank:)?(?P<rank>\d+)(?:,[\w.-]+)?\](?:<\w+>)?:\s?",  # mpirun --tag-output, SageMaker MPI
        r"\[repeated \d+x across cluster\]\s?",  # Ray
        r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?\] " + _LEVEL + r"\s+[\w./-]+:\d+: ",  # vllm-neuron
        r"\[" + _ISO + r": (?P<level>[IWEFD]) [\w./-]+:\d+\]\s?",  # neuronx-distributed
        r"\[\w+ (?P<level>[IWEFD]) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [\w.]+:\d+\]\s?",  # NeMo
        r"\[" + _ISO + ": " + _LEVEL + r"/[A-Z][\w-]{1,40}\] ",  # Celery
        r"\[" + _ISO + r"\]\[(?P<host>[\w.-]+)\]\[\w+\]\[" + _LEVEL + r"\] - ",  # Hydra, Lightning
        r"\[(?P<level>[IWEFDC]) (?:(?P<time>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?)|\d{6} \d\d:\d\d:\d\d)"
        r"(?: [\w.:-]{1,40})?\] ?",  # Optuna, Jupyter, Tornado
        *_ANY,
        r"\[" + _ISO + r"\] [a-z][\w-]{0,30}\." + _LEVEL + r": ",  # Monolog
        # Airflow, which relays the output of a command at its level of information, and its own lines.
        r"\[" + _ISO + r"\] \{(?:subprocess|logging_mixin|pod_manager|docker|ssh)\.py:\d+\} INFO - ",
        r"\[" + _ISO + r"\] \{[\w./-]+:\d+\} " + _LEVEL + " - ",
        r"\[" + _ISO + r"\]\s?(?:\[ {0,8}" + _LEVEL + r"\s*\]\s?(?:[\w.]+: )?)?(?:- )?",  # brackets around the time
        r"\[" + _LEVEL + r"\s*\] (?:" + _WORKER + r"\s)*(?:[\w.]+ )?-\s",  # TorchServe, DJL
        r"\[\d{10}\.\d+\] \[(?P<host>[\w.-]+):\d+ *:\d+\] +[\w./]+:\d+ +UCX +" + _LEVEL + r" ",  # UCX
        rf"\[(?P<level>{OTHER})\]:? {{1,3}}",
        r"\[\s*\d+\.\d{6}\]\s?",  # dmesg
        r"\[pod/(?P<host>[\w.-]+)/[\w.-]+\]\s",  # kubectl logs --prefix
        r"\[x\d+\] ",  # counted messages
        r"\[(?P<host>[A-Za-z][\w.-]*):\d{3,7}\] ",  # Open MPI, UCX
        r"\[(?P<level>!)\] {1,3}(?=\S)",  # eksctl
        r"\[(?P<level>[IWEF])\] (?=\S)",  # TensorRT, and whoever writes levels as letters
        r"\[[A-Z]\w{2,40}App\] (?:" + _LEVEL + r" \| )?(?=\S)",  # Jupyter's programs
        r"\[r(?P<rank>\d{1,5})\] (?=\d\d:\d\d:|\d{4}-)",  # hand-made loggers
        r"\[\d{1,7}\] (?=\d{4}/\d\d/\d\d )",  # NATS
        r"\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d [\w/+-]{1,40}\] ",  # PHP
        _ENCLOSED,
        _NUMBERED,
        _BRACKETS,
        _TAGGED,
    ),
    "(": (
        r"\((?P<process>[\w.]+(?:\([^)]*\))? (?:rank=(?P<rank>\d+),? ?)?pid=\d+)" + _IP + r"\)\s?",  # Ray, vLLM
        r"\((?P<level>!)\) (?=\S)",  # Vite
        r"\((?P<level>II|WW|EE)\) (?=\S)",  # X.org
        _GLIB,
        r"\((?P<process>pid=\d+)" + _IP + r"\)\s?",  # Ray
        r"\((?:raylet|autoscaler|scheduler|APIServer|EngineCore_?\w*|Worker_?\w*)(?: \+[\dhms]+)?(?: pid=\d+)?"
        + _IP
        + r"\)\s?",
    ),
    "0": (
        r"(?![45]\d\d: [A-Z][a-z])(?P<rank>\d{1,5}): (?=\S| {1,7}\S)",  # srun --label; not a status of HTTP
        _ISO + r" \| " + _LEVEL + r"\s+\| [\w.:<>]+ - ",  # loguru
        _ISO + r"\s" + _LEVEL + r" [\w./-]+:\d+ -- ",  # Ray
        _ISO + r"\s*(?:::|-|\|)\s*(?:[A-Za-z_][\w.]*\s*(?:-|\|)\s*)?" + _LEVEL + _LOGGER,  # logging
        _ISO + r" \[ {0,8}" + _LEVEL + r"\s*\]\s+(?:(?:[\w.-]*\w\s+){1,3}- )?",  # TorchServe, MMS
        _ISO + r" - [\w.-]+\[" + _LEVEL + r"\]: ",  # cloud-init
        _ISO + r" \d+ \[(?P<level>Note|System|Warning|ERROR)\] (?:\[MY-\d+\] )?(?:\[\w+\] )?",  # MySQL
        _ISO + r"\s+(?P<host>(?:ip|algo|node)[-\w.]*\d)\s+(?!\S+\[\d+\]: )",  # CloudWatch, journald with ISO times
        _ANY[0],
        _ISO + r"\s+(?P<host>[\w.-]+) (?P<process>[\w./-]+)\[\d+\]: ",  # rsyslog with ISO times
        _ISO + r" (?:stdout|stderr) [FP] ",  # CRI, kubectl from the node
        r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7,9}Z) (?=\[)",  # kubectl --timestamps, GitHub
        _ISO + r"\s+(?=\S)(?!(?:INFO|USER|ERROR|WARNING|DEBUG|FATAL)\b(?!: )|\[|Non-signal)",  # kubectl --timestamps
        r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}(?:Z|[+-]\d\d:\d\d))\s*$",  # before a blank line
        r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)? (?:[\w./-]+\.go:\d+: )?",  # Go
        r"\d+#\d+: (?:\*\d+ )?",  # nginx
        _ONNX,
        _GSTREAMER,
        _ANDROID,
        _LETTER,
        r"\d{1,2}:\d\d(?::\d\d)?[AP]M (?P<level>(?i:" + ANY + r")) {1,3}(?=\S)",  # zerolog
        r"1[5-9]\d{8}(?:\d{3}|\.\d{1,9})?(?:\t|,(?=\S)|:? {1,4}(?=\S))",  # seconds or milliseconds since 1970
        _ISO + r" \[(?P<level>!)\] {1,3}(?=\S)",  # eksctl
        # Redis, which says at its level of warnings why it stops, too.
        r"\d+:[MSCX] \d\d [A-Z][a-z]{2} \d{4} "
        + _CLOCK
        + r" (?P<level>[.*#-]) (?!.{0,200}(?i:fatal|aborting|exiting))",
        r"\d{1,4}\|[\w.-]{1,40} *\| ",  # PM2
        # BuildKit's copy of what a step printed last, behind the seconds of the step; not a measure.
        r"\d{1,4}\.\d{3} (?!(?:[munk]?s(?:ec)?|sec\w*|min\w*|hours?|days?|[KMGTP]?i?[Bb](?:ps|/s)?|[KMGT]?H[zZ]|per|of"
        r"|to|and|or|for|in|is|at|x|it|[mkMG]?[WJVA]|C|F)\b)(?=[A-Za-z/][\w./+-]{1,60}(?:: | ))",
        _CLOCK + r" (?P<process>[A-Za-z][\w.-]{0,60}\.\d{1,4}) +\|(?: |$)",  # Foreman, Honcho
        r"\d+[A-Za-z_.-][\w.-]*\s+\|\s",  # docker compose; a number alone is that of a line of a source
        rf"\d{{1,4}}[smhd](?:\d{{1,2}}[smh])? {{1,12}}{_EVENT}",  # kubectl get events
    ),
    "a": (
        _EVENT,
        rf"(?P<level>{OTHER})(?: ?:{{1,2}} ?| {{1,3}})(?=\S)",
        r"(?P<level>[DIWEFC]) (?:\d{4}-\d\d-\d\d[ T])?" + _CLOCK + r" (?:[\w./-]+:\d+:? )?",  # a letter and a time
        r"[a-z][\w./-]{0,40}\.go:\d+: \[(?P<level>debug)\] ",  # Helm
        r"(?P<level>[DIWEF]) (?=[a-z][\w./-]{1,40}(?:\[\d+\])?: \S)",  # a letter and a name
        r"libfabric:\d+:\d*:[\w:-]*:\w+\(\):\d+<(?P<level>trace|debug|info)> ",
        _LEVEL + r" {0,5}\|(?: {1,5}(?=\S)|(?=[^\s|]))",  # in capitals before a bar
        r"(?P<level>[DIWEFC])\|" + _CLOCK + r"\|(?:[\w./-]+\| ?)?",  # letters and bars
        r"[Rr]ank[ :_]?(?P<rank>\d+)\]?:\s?",  # hand-made loggers
        _LEVEL + r" \d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \[?[\w./-]+:\d+\]\s?",  # vLLM
        _LEVEL + r"\s+(?:PyProcess|PyPredictor|WorkerThread)\s+(?:W-\d[\w.-]*:\s)?",  # DJL Serving
        r"com\.amazonaws\.[\w.]+ - ",  # multi-model-server
        r"(?!(?:ERROR|FATAL|CRITICAL): \S)" + _LEVEL + r":\s{1,5}(?=\S)",  # uvicorn
        # Bare, in capitals.
        r"(?P<level>ERROR|FATAL|WARN(?:ING)?|INFO|DEBUG|CRITICAL) {1,5}(?:[|] )?"
        r"(?=(?:[(]?[a-z]|\d{1,6} [a-z])[\w./-]{0,40} )",
        _LEVEL + ":" + _ISO + r":[\w.]+:\d+: ",  # JAX
        _LEVEL + r":(?!Neuron:|tensorflow:)[\w.]+:(?=\S)",  # logging's default format
        r"[A-Z][a-z]{2}\s+\d+ " + _CLOCK + r" (?P<host>[\w.-]+) (?P<process>[\w./-]+)(?:\[\d+\])?: ",  # syslog
        r"kernel: |std(?:err|out)(?:: | ?\| )(?=\S| {1,8}\S)",
        r"(?:(?:t|time|ts|timestamp)=\S+ )?(?:level|lvl|severity|sev)=\"?(?P<level>\w+)\"? "
        r"(?:[\w.]+=[^\s\"]+ )*(?:msg|message|text)=\"?",  # logfmt
        _ANY[1],
        r"(?P<level>[WN]): (?=\S)",  # apt, initramfs
        r"(?P<level>[DIWE])! (?=\S)",  # Telegraf, the agent of CloudWatch
        r"npm (?:(?P<level>(?i:warn|notice|info))|(?P<level_>ERR)!) (?=\S)",
        r"(?P<host>(?:ip-\d+-\d+-\d+-\d|algo-\d|node-?\d)[\w.-]*):\s",  # pdsh, clush
        r"(?P<host>[a-z][\w.-]{0,60}\d): (?=\[?(?:" + USUAL + r")\b)",  # pdsh, names of any kind
        r"(?P<process>[A-Za-z][\w.-]{0,60}\d):? (?=\[?\d{4}-(?:\d\d|[A-Z][a-z]{2})-\d\d[T ])",  # a name before a time
        r"(?:pod/)?(?P<host>[a-z][\w.]*-[\w.-]*) [a-z][\w-]* (?=\[?(?:" + USUAL + r")\b)",  # stern
        r"(?P<host>[\w./-]+-\d+)\s+\|(?: |$)",  # docker compose
        r"(?!(?:" + USUAL + r")\b)(?P<host>[\w.-]+)\s+\|(?:\s|$)",  # docker compose, one service
        r"(?!\d)(?P<process>[A-Za-z][\w.-]{1,60}) {2,40}> (?=\S)",  # Stack, one package of several
        r"E   (?!(?:[a-z_]\w*\.){1,8}[A-Z]\w*(?:: |\s*$))(?=\S)",  # pytest, but before the name of an exception
        _RUBY,
        _CTIME,
        r"PHP (?:(?P<level>Notice|Warning|Deprecated): {1,2}|(?=(?:Fatal|Parse) error: ))",
        r"[a-z][\w.]{1,60} - (?P<level>" + USUAL + r") - (?=\S)",  # Dask
        rf"[a-z][\w./-]{{0,40}}\[\d{{1,8}}\]:? (?=\[?(?:{USUAL})\b)",
        rf"[a-z][\w./-]{{0,40}} (?=\d{{4}}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S{{0,8}} \[?(?:{USUAL})\b)",
        _NAMED,
    ),
    "": (
        rf" {{1,8}}{_EVENT}",  # kubectl describe
        r" (?: (?=\d: ))?(?P<rank>\d{1,2}): (?=\S| {1,7}\S)",  # srun --label of up to 1000 tasks, which it aligns
        rf" {{11}}(?: {{9}})?{_LEVEL} {{1,5}}(?=\S)",  # Rich, below a line of the same second
        rf"\|(?P<level>{USUAL}) {{0,5}}\| {{0,5}}(?=[^\s|])(?![^\n]*\|\s*$)",  # between bars, and no row of a table
        r"(?!>>> )(?:>\s?)+(?=\S)",  # quoted in a mail or an issue; not the prompt of Python
        r"#\d+ \d+\.\d+ ",  # docker buildx
        _MARKED,
        _STARRED,
        r"\*\* (?=\([\w.-]{1,40}:\d{1,8}\): )",  # GLib
        r"(?P<level><\d{1,3}>)(?=[A-Z][a-z]{2} [ \d]\d \d\d:)",  # RFC 3164
        _SYSLOG,
        rf"\+\d{{1,9}}(?:\.\d{{1,9}})?s (?=\[?(?:{USUAL})\b)",
        r" {2,12}\| (?=\S| {2}File | {4}\S)",  # Python's exception groups
        r"\.+(?=[^./\s])",  # the compiler's progress dots
        r"- (?=\[x\d+\] )",  # counted messages
        r"(?P<level><[0-7]>)(?=\S)",  # the kernel, systemd
        # GitHub, Azure; what they report of the end of a step has an entry.
        r"##\[(?P<level>warning|notice|debug|error)\](?!Process completed|The operation was canceled)(?=\S)",
        r"::(?P<level>warning|notice|debug|error)(?: [^:\n]{1,200})?::(?=\S)",
        r"%(?P<level>[0-7])\|(?:\d{10}\.\d{3}\|)?(?=[A-Z]+\|)",  # librdkafka
        rf"(?P<level>{_MARKS})\ufe0f? {{1,3}}(?=\S)",
    ),
}
