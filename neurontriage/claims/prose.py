"""Text of people, or of a model: what stands in it happened to nobody here.

A log prints it as a result: a time range or a label that names a text or its author stands in front, and behind it a
sentence of everyday language: words that bind, hardly anything that only programs write. Or whoever pasted the log
wrote around it what they did and ask: of themselves, as no program does.
"""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.lines.words import Sought

_LONGEST = 600
_TIME = r"(?:\d{1,3}:)?\d{1,3}:\d\d(?:[.,]\d{1,3})?|\d{1,6}\.\d{1,3} ?s?"
_SPAN = expression(
    rf"\s*(?:\[\w{{1,20}}\] )?[\[(]? ?(?:{_TIME}) ?(?P<sign>-{{1,3}}>|-|–|—|to|,) ?(?:{_TIME}) ?[\])]?:?"
    r"\s+(?P<text>\S.*)"
)
# Names of texts and of those who speak in one; the first tokens of such a line may be ids.
_TEXT = (
    r"prompt|question|query|answer|response|reply|completion|generat(?:ed|ion)(?: text)?|(?:model|sample) output"
    r"|summary|translation|translated|transcript(?:ion)?|caption|hypothesis|hyp|reference|ref|prediction|pred"
    r"|headline|story|quote|passage|paragraph|essay|review|user|assistant|bot|human|customer|caller"
    r"|narrator|speaker[ _-]?\w{1,12}|output[ #_-]{1,2}\d{1,4}"
)
# What a model made of a prompt, printed as its value: nobody else puts quotes around it.
_MADE = expression(
    r"(?i)\s*(?:[\w#.\[\]-]{1,24} ){0,4}?(?:\W{0,3}prompts?\b.{1,400}?)?\bgenerated[ _]"
    r"(?:text|output|answer|response|completion)s?"
    r"[\"']?\s?[:=]\s?\[?[\"'].{2,}"
)
# The same as a field of a record that its program does not call an error.
_FIELD = Sought(
    r"[\"'](?:prompt|completion|answer|question|instruction|generated_text|output_text|hypothesis|transcript"
    r"|prompt_id[\"']: ?\d{1,9}, ?[\"']response)[\"']: ?[\"']"
)
_CALLED = Sought(
    r"(?i)[\"'](?:level|severity|levelname|lvl)[\"']: ?[\"'](?:err|fatal|crit|panic|alert|emerg)"
    r"|[\"'](?:error|err|exception|exc_info|traceback|stack_?trace|failure|error_message)[\"']: ?[\"'{\[]"
    r"|[\"'](?:event|msg|message|status)[\"']: ?[\"'][^\"'\n]{0,60}(?:fail|error|abort|crash)"
)
_LABEL = expression(
    rf"(?i)\s*(?:> )?(?:[\w#.\[\]-]{{1,24}} ){{0,4}}[\[(<|\"']{{0,3}}(?:{_TEXT})(?:[ #_-]{{0,2}}\d{{1,6}})?"
    r"(?: \([^)]{1,40}\))?[\])>|\"']{0,3}\s?[:>=\t]{1,2}\s*(?P<text>\S.*)"
    r"|[A-Z]-\d{1,9}\t(?:-\d[\d.]*\t)?(?P<row>[^\W\d_].*)"
)
# What a server answers, and what is asked of one, is no text of a model.
_SERVED = expression(
    r"(?i)\b(?:batch|server|https?|api|rest|rpc|grpc|dns|ldap|auth\w*|token|error|bad|unexpected|invalid|malformed|proxy"
    r"|gateway|upstream|registry|backend|service|daemon|database|sql|db|slow|remote) (?:response|reply|query|answer)\b"
)
# Whoever speaks of themselves, or asks others: no program does. What they ask needs no whole sentence.
_PERSON = Sought(
    r"(?:^|[\s(\"'*>])(?:I(?:['’](?:m|ve|d|ll))?|[Mm]y|[Mm]yself) (?:[a-z]|AWS|GPU|CPU|EC2)"
    r"|(?i:\b(?:am|are|did|do|should|could|can|would|have|shall) (?:i|we|you guys)\b(?:[^.?\n]|\.\w){0,100}\?)"
    r"|(?i:\b(?:what|where|how|why) (?:am|did|do|should|could|can) (?:i|we)\b"
    r"|^\W{0,3}yesterday\b|^\W{0,3}(?:the|your) (?:docs|documentation|readme|guide|tutorial)\b|\bof mine\b)"
)
_ASKS = Sought(
    r"(?i)\bany (?:ideas?|help|hints?|pointers?|suggestions?|thoughts?)\b[^.\n]{0,60}\?"
    r"|\b(?:anyone|anybody) (?:know|see|else|help)\w* |\bplease help\b|\bthanks (?:for (?:any|the|your)|in advance)\b"
)
# Nobody begins a sentence so.
_PRINTED = expression(r"\s*(?:\S+: |\[|\d|[A-Z]{3,}\b|\+ |\S+[$#>] )")
_WORD = expression(r"[^\W\d_]+(?:['’][a-z]{1,3})?")
# What programs write: signs, names with digits or an underscore, paths, dotted names, camel case.
_TECHNICAL = expression(r"[={}<>|\\_]|\w[/.:]\w|[A-Za-z]\d|[a-z][A-Z]")
# fmt: off
_BIND = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "he", "she", "they", "them", "his", "her", "their",
    "i", "i'm", "i've", "my", "me", "we", "our", "us", "you", "your", "who", "which", "what", "when", "where", "why",
    "how", "and", "or", "but", "so", "if", "because", "since", "as", "than", "then", "while", "though", "after",
    "before", "to", "of", "in", "on", "at", "for", "with", "by", "from", "about", "into", "over", "out", "up", "down",
    "like", "is", "are", "was", "were", "be", "been", "am", "has", "have", "had", "do", "does", "did", "will", "would",
    "can", "could", "should", "may", "might", "not", "no", "nothing", "there", "here", "again", "also", "just", "very",
    "all", "some", "any", "last", "one", "said", "says",
})
# fmt: on
_LEAST, _SHARE, _SIGNS = 5, 0.3, 8


def made(payload: str) -> bool:
    """Whether a line shows what a model was asked, or made of a prompt, wherever it stands."""
    text = payload[:_LONGEST]
    if "{" in text and _FIELD.search(text) and not _CALLED.search(text):
        return True
    return "enerat" in text and _MADE.match(text) is not None


def printed(payload: str) -> bool:
    """Whether a line, without its launcher prefixes, is text of people or of a model behind a time range or a label."""
    text = payload[:_LONGEST]
    if span := _SPAN.match(text):
        return span["sign"].endswith("->") or sentence(span["text"])
    found = _LABEL.match(text)
    if found is None or _SERVED.match(text.lstrip("[(<|\"' ")):
        return False
    return sentence(found["text"] or found["row"])


def written(payload: str) -> bool:
    """Whether a line is what somebody wrote about a log of their own, or asks of it: nothing that a program printed."""
    text = payload[:_LONGEST]
    if _PRINTED.match(text):
        return False
    return _ASKS.search(text) is not None or (_PERSON.search(text) is not None and sentence(text))


def sentence(text: str) -> bool:
    """Whether a text is a sentence of everyday language: many of its words bind others, few are technical."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if len(words) < _LEAST or len(_TECHNICAL.findall(text)) * _SIGNS > len(words):
        return False
    return sum(word in _BIND for word in words) >= _SHARE * len(words)
