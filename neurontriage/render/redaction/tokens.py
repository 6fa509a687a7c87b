"""Secrets that are known by their own shape: tokens with the prefix of their issuer, keys, signed addresses."""

from __future__ import annotations

from neurontriage.render.redaction.rule import random_looking, rule, scrambled

ISSUED = (
    r"gh[pousr]_[A-Za-z0-9]{30,}",
    r"github_pat_\w{20,}",
    r"gl(?:pat|dt|ft|soat|rt|cbt|ptt|agent|oas|imt|ffct)-[\w.-]{16,}",
    r"GR1348941[\w-]{16,}",
    r"hf_[A-Za-z0-9]{20,}",
    r"api_org_[A-Za-z0-9]{20,}",
    r"xox[abeoprs](?:\.xox[bp])?-[\w-]{8,}",
    r"xapp-\d-[\w-]{8,}",
    r"AIza[\w-]{30,}",
    r"ya29\.[\w.-]{16,}",
    r"GOCSPX-[\w-]{16,}",
    r"nvapi-[\w-]{16,}",
    r"pypi-AgE[\w-]{16,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"sk-(?:proj|ant|svcacct|admin|or|lf)-[\w-]{16,}",
    r"sk-[A-Za-z0-9]{20,}",
    r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}",
    r"whsec_[\w+/=]{16,}",
    r"sq0[a-z]{3}-[\w-]{20,}",
    r"SG\.[\w-]{16,}\.[\w-]{16,}",
    r"(?:dop|doo|dor)_v1_[0-9a-f]{40,}",
    r"dapi[0-9a-f]{32}(?:-\d)?",
    r"hv[sbr]\.[\w-]{20,}",
    r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}",
    r"dp\.(?:pt|st|ct|sa)\.[\w.-]{20,}",
    r"lin_api_[A-Za-z0-9]{30,}",
    r"ntn_[A-Za-z0-9]{30,}",
    r"figd_[\w-]{30,}",
    r"PMAK-[0-9a-f-]{40,}",
    r"NRAK-[A-Z0-9]{20,}",
    r"gl(?:c|sa)_[\w+/=]{30,}",
    r"sntry[su]_[\w+/=.-]{30,}",
    r"dckr_(?:pat|oat)_[\w-]{20,}",
    r"r8_[A-Za-z0-9]{30,}",
    r"gsk_[A-Za-z0-9]{40,}",
    r"xai-[A-Za-z0-9]{40,}",
    r"pplx-[A-Za-z0-9]{40,}",
    r"wandb_v1_\w{20,}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{40,}",
    r"AKCp[A-Za-z0-9]{50,}",
    r"rubygems_[0-9a-f]{40,}",
    r"tskey-[a-z]+-[\w-]{16,}",
    r"CCIPAT_\w{16,}",
    r"bkua_[0-9a-f]{30,}",
    r"key-[0-9a-f]{32}",
    r"[0-9a-f]{32}-us\d{1,2}",
    r"EAA[A-Z][A-Za-z0-9]{60,}",
    r"\d{8,10}:AA[\w-]{32,}",
    r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}",
    r"[\w.~-]{3}\dQ~[\w.~-]{31,}",
)
"""A prefix that nothing else has, and what may follow it; the shape as the issuer documents it."""
# Such strings hold one of these (the last: all with a point), so that a text without any is not searched.
_ISSUED_WORDS = """ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ gl gr1348941 hf_ api_org_ xox xapp- aiza gocspx- nvapi-
    pypi-age npm_ sk- sk_ rk_ pk_ whsec_ sq0 _v1_ dapi lin_api_ ntn_ figd_ pmak- nrak-
    sntry dckr_ r8_ gsk_ xai- pplx- age-secret akcp rubygems_ tskey- ccipat_ bkua_ key- -us eaa :aa q~ ."""
_PARAMETER = r"(?i)(?:\b|%26|%3F)"  # where a parameter of an address begins, in clear or encoded
_ADDRESSED = r"(?P<secret>[^&\s\"'<>\\]"  # of an address within an address the rest goes as well
_EDGE = r"(?<![A-Za-z0-9])"

TOKENS = (
    rule("signature", _PARAMETER + r"(?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|AWSAccessKeyId|Key-Pair-Id|"
         r"GoogleAccessId)(?:=|%3D)" + _ADDRESSED + "+)", "x-amz x-goog awsaccesskeyid key-pair-id googleaccessid"),
    rule("signature", _PARAMETER + r"Signature(?:=|%3D)(?P<secret>[\w%~+/=.-]{10,})", "signature", random_looking),
    rule("signature", r"(?i)(?:[?&;]|%26)(?:sig|policy|hmac|code|key)(?:=|%3D)" + _ADDRESSED + "{8,})",
         "sig policy hmac code key"),
    rule("private-key", r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[^\n]*", "begin", lambda _: True),
    rule("private-key", r"PuTTY-User-Key-File-\d:[^\n]*", "putty", lambda _: True),
    rule("aws-key-id", r"(?<![A-Za-z0-9])(?:A[KS]IA|AROA|AIDA|ABIA|ACCA|AGPA|AIPA|ANPA|ANVA|APKA|ASCA|A3T[A-Z0-9])"
         r"[A-Z0-9]{16,}(?![A-Za-z0-9])", "akia asia aroa aida abia acca agpa aipa anpa anva apka asca a3t"),
    rule("token", _EDGE + "(?:" + "|".join(ISSUED) + r")(?!\w)", _ISSUED_WORDS, lambda _: True),
    rule("token", r"\beyJ[\w=-]{8,}\.[\w=-]{8,}(?:\.[\w.+/=-]*)?", "eyj", lambda _: True),
    rule("token", r"\b(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|AQoDYXdz|AQAEA)[\w+/=%-]{20,}", "iqoj fwogz aqod aqaea"),
    rule("webhook", r"(?i)hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/-]+)", "hooks.slack"),
    rule("webhook", r"(?i)discord(?:app)?\.com/api/webhooks/(?P<secret>[\w/-]+)", "webhooks"),
    rule("webhook", r"(?i)webhook\.office\.com/(?P<secret>[\w@/.-]+)", "webhook"),
    rule("token", r"(?i)api\.telegram\.org/bot(?P<secret>[\w:-]+)", "telegram"),
    rule("credentials", r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<secret>[^\s/@\"'<>]+)@(?=[^\s/])", "://",
         lambda user: user not in ("git", "ssh", "user", "hdfs") and not user.startswith("<")),
    rule("secret", r"(?<![\w/+=.%-])[A-Za-z0-9+/]{40,}={0,2}(?![\w+=.%-]|/)", "", scrambled),
    rule("secret", r"(?<![\w/+=.%-])(?!_Z)[\w-]{60,}={0,2}(?![\w+=.%-]|/)", "", scrambled),
)  # fmt: skip
