"""What a command of a script complains of, which the script may do without, and what ends a script at once."""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought

_COMMAND = expression(
    r"(?:\S*/)?(?:rm|rmdir|cat|ls|cp|mv|mkdir|ln|ch(?:mod|own)|p?kill|killall|which|grep|sed|awk|find|touch|tail|head|du|df"
    r"|u?mount|stat|modprobe|rmmod|lsmod|ulimit|renice|sysctl|nvidia-smi|curl|wget|ba?sh|conda|setlocale|readlink|realpath"
    r"|shred|tput|stty|getent|id|hostname|dpkg-query|date|sha\d{1,3}sum|md5sum|lspci|ldconfig|numactl|ethtool|nc)\b: "
    r"|\S+\.sh: line \d+: "
    r"|fatal: (?:(?i:not a git|could not read|repository|remote|unable to access|authentication|no url)|'|You |bad "
    r"|ambiguous|detected dubious|refusing to|pathspec|destination path|clone of|early EOF|index-pack|couldn't"
    r"|(?i:not a valid|no names found|remote branch|no such (?:remote|ref)|needed a single|no (?:upstream|tags))"
    r"|protocol error|could not (?:create|resolve|open)|unable to (?:read|create))"  # git's
)
# A shell ends its script at this, whatever stands below: `set -u`, `${NAME:?}`, and what it cannot read.
_ENDS = Sought(
    r": line \d+: (?:.{1,120}: (?:unbound variable|parameter (?:null or )?not set|bad substitution)$"
    r"|syntax error|unexpected EOF|conditional binary operator expected)"
)


def of_command(text: str) -> bool:
    """Whether a line is what a command of a script complains of, or the shell of such a command."""
    return complains(strip(text).payload)


def complains(payload: str) -> bool:
    """The same of what stands behind all prefixes of a line."""
    return _COMMAND.match(payload) is not None and _ENDS.search(payload) is None
