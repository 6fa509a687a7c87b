"""What a program says that it does in spite of what failed, or in place of it: with such words it goes on."""

from __future__ import annotations

from neurontriage.lines.digits import by_form
from neurontriage.lines.words import Sought

_GOES_ON = Sought(
    r"[,;.(-] ?(?:[Ww]ill )?(?:[Rr]etry(?:ing)?|[Tt]ry(?:ing)? again)\b(?:(?: in)? [\d(][^\n]{0,30})?[ .)]{0,6}"
    r"(?:\"? (?:err|error|cause|reason)=.*)?$"
    r"|(?:[:,;(]|-{1,2}) ?(?:(?:now )?(?:skipping|failing over|moving on)|skipped|left out)"
    r"(?: for (?:this|these) \w{1,20})?\W*$|[:,;(] ?ignored\W*$"
    r"|[:,;(] ?skipping(?: [a-z][\w-]{1,20}){1,4}\W*$"
    r"|(?:[:,;(]|-{1,2}) ?(?:is |was )?(?:left on|kept on|run on|stays on|runs on) (?:the )?(?:cpu|CPU|host)\W*$"
    r"|[,;] (?:this|the) \w{1,20} (?:is|was) (?:left out|skipped|dropped|ignored)\W*$"
    r"|[,(] ?falling back to [\w ./-]{1,40}\)\W*$"
    r"|[,;(] ?(?:now )?trying (?:the )?(?:next|another|other|second)\b[^,;:\n]{0,30}$"
)
OPTIONAL = (
    r"\boptional (?:[\w.-]{1,40} ){1,4}(?:could not|can(?:not|'t)|failed|is not|not)\b"
    r"|\bsome (?:\w+ )?(?:optimi[sz]ations|features) will (?:not be (?:enabled|available)|be disabled)\b"
)
"""What may be missing, and is."""
# What a program says that it does instead, in words alone: an amount that is used is none.
_REMEDY = Sought(
    r"(?i)[,;] (?:so |now |will |we |it )?(?:us(?:ing|es?)|switch(?:ing|ed|es)? to|tak(?:ing|es?)"
    r"|set(?:ting)? (?:it|them) to|automatically set(?:ting)?(?: (?:it|them))?(?: to)?|default(?:ing|s)? to"
    r"|disabl(?:ing|ed)|left out|leaving (?:it|them) out)(?: (?:the |an? |its )?[a-z_][a-z_ -]{0,50})?\W*$"
    r"|[,;] (?:now )?(?:try|us|tak|switch)ing [^.;:\n]{1,60}\binstead(?: of [^.;:\n]{1,40})?\W*$"
    r"|(?:[,;]| --| —) (?:so |now |we |it )?(?:runn|proceed|stay|benchmark|comput|simulat)ing (?:on|with|without|in)"
    r" (?:the |an? )?"
    r"[\w-]{1,24}(?: [\w-]{1,24}){0,2}\W*$"
    r"|(?:[,;]| --| —) (?:the )?(?:[a-z]{2,20} ){0,2}(?:goes?|written|kept|sent) (?:in)?to (?:the |an? )?"
    r"[\w./-]{1,40}\W*$"
    rf"|{OPTIONAL}"
    r"|\((?:ignored|ignoring|harmless|not needed)(?:[,;:] [a-z ]{1,40})?\)\W*$"
    # Of what is traced for Inf1 "native python" is no other way: it is not compiled.
    r"|(?:[,;]| --?| —) (?:now )?falling back(?: (?:to|on) (?:the |an? )?(?:serial|cpu|eager|defaults?|single|local"
    r"|slow\w*|https?|tcp|sockets?|built-?in|bundled|previous|in-memory|disk|polling)\b[\w ./-]{0,40})?\W*$"
    r"|[,;] (?:re-?)?(?:build|creat|generat|comput|download|mak)ing (?:it|them|one|a new one)(?: anew| again)?\W*$"
    r"|(?:[,;]| --?| —) (?:now )?(?:trying (?:(?:the )?(?:next|other|another|second) [\w -]{1,30}|(?:with )?\d{1,7})"
    r"|re-?spawning(?: [\w -]{1,30})?|keeping [^.;:\n]{1,40} only"
    r"|retrying with (?:an? |the )?(?:mirror|other|another|next|new|fresh) ?[\w -]{0,30})\W*$"
    # A setting that is not there, and what is taken for it.
    r"|\b(?:not (?:set|given|specified)|unset|missing|absent)[,;] (?:so |now )?"
    r"(?:assum(?:ed|ing)|tak(?:en|ing)|us(?:ed|ing)) [\w.+-]{1,20}(?: \w{1,8})?\W*$"
    r"|\b(?:not (?:set|given|specified)|unset|missing|absent)[,;] [\w.+-]{1,20}(?: \w{1,5})?"
    r" (?:is |was )?(?:taken|assumed|used)\W*$"
    # What has been done about it, and what is done without from here on.
    r"|[,;] (?:so |now |since )?(?:raised|lowered|increased|reduced|extended|widened|capped|clamped|truncated|shortened"
    r"|rounded(?: up| down)?|padded|moved|pinned) (?:it |them )?(?:to|at|by) \d[\w.%]{0,12}"
    r"(?: (?:in|with|since) [\w .-]{1,30})?\W*$"
    r"|[,;] (?:(?:the |its )?[a-z][\w-]{1,20} ){0,2}(?:push|report(?:ing|s)|metrics?|tracing|telemetry|log(?:ging|s)"
    r"|export(?:er|ing|s)?|cach(?:e|ing)|checks?|modes?|features?|support|plugins?|profil(?:er|ing)|uploads?"
    r"|notifications?|monitor(?:ing)?) (?:(?:is|are|was|were|stays?) )?(?:disabled|(?:turned|switched) off)\W*$"
    r"|[,;] (?:so |now )?ignor(?:ing|ed|es) (?:it|them|this|that)\W*$"
    r"|\w\. (?-i:F)alling back (?:to|on) [^.;:\n]{1,60}\W*$"
    # What was done again, in another way.
    r"|[,;(] ?(?:(?:they|it|all|those|these|but|then) )?(?:(?:was|were) )?(?:re-?(?:done|run|built|computed|decoded"
    r"|encoded|read|fetched|loaded|sent|generated|submitted|processed|tried)|repeated|(?:done|decoded|computed|fetched|read|tried"
    r"|run) again) (?:with|on|at|by|in|from|as|using) [^,.;:\n]{1,40}\W*$"
    # What becomes of it stands in front of the reason.
    r"|\b(?:is|are|was|were|will be) (?:left out|skipped|disabled|dropped|turned off|not used)(?: [a-z ]{1,30})?: "
    # A part that may be missing is, and what cannot be had without it.
    r"|\b(?:not (?:be |been )?(?:found|installed|detected|present|importable|available)"
    r"|(?:none|neither) (?:of )?[^;\n]{1,80}\b(?:found|installed|available)|missing"
    r"|no \w+ (?:was |is )?(?:found|detected|installed))\b[^.,;:\n]{0,60}[.,;:(] ?[^.;:\n]{0,80}\b"
    r"(?:(?:will not|won't) be (?:available|usable|enabled|used|possible|supported|shown)"
    r"|will be (?:unavailable|disabled|slower|limited)|(?:is|are) disabled"
    r"|only [^.;:\n]{1,80} (?:can|will) be used)\b"
)
# What becomes of it stands behind what failed: something is kept, or the rest goes on without it.
_LEFT = Sought(
    r"(?i)[,;(] ?(?:(?:the |its |this |these |an? )?(?:[a-z][\w-]{1,20} ){1,3})?(?:(?:is|are|was|were|stays?) )?"
    r"(?:will be )?(?:left out|skipped|kept|retained|unchanged|deferred|postponed|rebuilt|left alone"
    r"|left as (?:it is|they are))(?: (?:in|as|for|until) [\w ]{1,30})?\W*$"
)


@by_form(1024)
def goes_on(text: str) -> bool:
    """Whether a line ends with the words that the program tries once more: what then failed says so itself."""
    return _GOES_ON.search(text) is not None


@by_form(1024)
def remedied(text: str) -> bool:
    """Whether a line ends with what the program does instead of what failed: it goes on with that."""
    return _REMEDY.search(text) is not None


@by_form(1024)
def left(text: str) -> bool:
    """Whether a line ends with what is kept or left out for what failed: that counts where its log goes on."""
    return _LEFT.search(text) is not None
