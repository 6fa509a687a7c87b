"""Who and whose: account ids and e-mail addresses always; hosts, users, buckets and roles when it is strict."""

from __future__ import annotations

import ipaddress

from neurontriage.render.redaction.rule import rule

_TOP = frozenset(
    """
    com org net edu gov mil int io ai dev app co info biz cloud tech me xyz online email store site team page agency
    company consulting digital systems solutions academy institute local internal corp lan test example invalid
    """.split()
)
_NO_COUNTRY = frozenset("py so sh rs cc js ts go rb pb gz bz xz md".split())
_EVERYBODYS = ("763104351884",)  # the registry of the AWS Deep Learning Containers, the same for all
_ROBOTS = frozenset(("git", "git+ssh", "hg", "noreply", "svn"))


def _address(text: str) -> bool:
    """Whether `a@b.c` is an e-mail address, not a decorator, a symbol version or a package."""
    user, _, host = text.rpartition("@")
    top = host.rpartition(".")[2].lower()
    country = len(top) == 2 and top.isalpha() and top not in _NO_COUNTRY
    return user.lower() not in _ROBOTS and (country or top in _TOP or not top.isascii())


def _machine(text: str) -> bool:
    """Whether four numbers are an address and not a version: versions of the field start below 10."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or (address.version == 4 and int(address) >> 24 < 10))


def _someone(text: str) -> bool:
    return (
        text.lower() not in ("ubuntu", "ec2-user", "root", "user", "runner", "jovyan", "app", "shared")
        and text[0] != "<"
    )


_PUBLIC = (
    "github.com githubusercontent.com huggingface.co pypi.org pythonhosted.org pytorch.org readthedocs-hosted.com "
    "amazonaws.com aws.amazon.com readthedocs.io python.org kubernetes.io docs.ray.io vllm.ai google.com"
).split()


def _own_host(text: str) -> bool:
    host = text.lower()
    known = any(host == one or host.endswith("." + one) for one in _PUBLIC)
    return (
        host != "localhost"
        and text[0] != "<"
        and not known
        and not _machine(text)
        and not host.replace(".", "").isdigit()
    )


PEOPLE = (
    rule("account", r"\barn:aws[\w-]*:[\w-]+:[\w-]*:(?P<secret>\d{12})(?!\d)", "arn:aws"),
    rule("account", r"(?<!\d)(?P<secret>\d{12})\.dkr\.ecr\.", ".dkr.ecr", lambda account: account not in _EVERYBODYS),
    rule("account", r"(?i)(?:account|owner|registry)[ _-]?(?:id)?\\?[\"']?\s?[=:#]?\s?\\?[\"']?(?P<secret>\d{12})(?!\d)",
         "account owner registry"),
    rule("account", r"(?i)(?:s3[an]?://|bucket\W{1,4}|\bsagemaker-)[\w.-]*?(?<!\d)(?P<secret>\d{12})(?!\d)",
         "s3 bucket sagemaker"),
    rule("account", r"(?i)//(?:[\w.-]*?[.-])?(?P<secret>\d{12})(?:[.-][\w.-]*)?\.(?:s3|signin|awsapps)[.-]", "s3 signin awsapps"),
    rule("account", r"(?i)amazonaws\.com(?:\.cn)?/(?P<secret>\d{12})/", "amazonaws"),
    rule("e-mail", r"(?<![\w.+%-])(?!://)[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+(?![\w-]|\.\d)", "@", _address),
)  # fmt: skip
HOSTS = (
    rule("host", r"(?<![\w.-])ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?:\.[a-z][\w-]*)*", "ip-"),
    rule("host", r"(?<![\w.-])ec2-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}[\w.-]*", "ec2-"),
    rule("host", r"(?i)(?<![\w.-])[a-z0-9][\w-]*(?:\.[\w-]+)*\.(?:internal|local|corp|lan|intra|cluster)(?![\w-])",
         ".internal .local .corp .lan .intra .cluster", _own_host),
    rule("host", r"(?i)(?:host_?name|\bhost|master_addr|node_?(?:name|list)?|server|endpoint)\\?[\"']?\s?[=:]\s?\\?[\"']?"
         r"(?P<secret>[a-z][\w-]*\d[\w.-]*|[a-z][\w-]*(?:\.[\w-]+)+)(?![\w(])", "host master node server endpoint", _own_host),
    rule("host", r"(?i)\b(?:https?|wss?|tcp|grpc|ftp|redis|postgres\w*|mysql\w*|mongodb[\w+]*)://(?:[^\s/@]*@)?"
         r"(?P<secret>[a-z0-9][\w.-]*[a-z0-9])", "://", _own_host),
    rule("ip", r"(?<![\w.-])(?<!==)\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)", ".", _machine),
    rule("ip", r"(?i)(?<![\w:.])(?:[23][0-9a-f]{3}|fe80|f[cd][0-9a-f]{2}):[0-9a-f:]+(?:%\w+)?(?![\w:])", ":", _machine),
    rule("instance", r"\b(?:i|vpc|subnet|sg|eni|vol|ami|eipalloc|lt|igw|rtb|acl|fs|snap|mi)-(?:[0-9a-f]{17}|[0-9a-f]{8})\b", "-"),
    rule("user", r"(?:/fsx(?:/users)?|/efs|/scratch|\\Users)[/\\](?P<secret>[\w.@-]+)"
         r"(?=[/\\])", "users fsx efs scratch", lambda name: name != "home" and _someone(name)),
    rule("user", r"(?:/home|/Users)/(?P<secret>[\w.@-]+)", "home users", _someone),
    rule("user", r"/(?:var/)?tmp/(?!neuron)(?P<secret>[\w.@-]+)/neuron", "tmp", _someone),
    rule("user", r"(?:^|[\s,{\"'])(?:USER|LOGNAME|USERNAME|SUDO_USER)\\?[\"']?\s?[=:]\s?\\?[\"']?(?P<secret>[\w.@-]+)",
         "user logname", _someone),
    rule("user", r"\bssh(?:\s-\S+)*\s+(?P<secret>[\w.-]+)@", "ssh", _someone),
    rule("bucket", r"(?i)\b(?:s3[an]?|gs|abfss?|r2)://(?P<secret>[a-z0-9<][\w.<>-]*)", "://", lambda name: "<bucket" not in name),
    rule("bucket", r"(?i)//(?P<secret>[a-z0-9][\w.-]*)\.s3[.-][\w.-]*amazonaws", ".s3"),
    rule("bucket", r"(?i)arn:aws[\w-]*:s3:::(?P<secret>[\w.-]+)", "s3:::"),
    rule("bucket", r"(?i)\bbucket(?:_?name)?\\?[\"']?\s?[=:]\s?\\?[\"']?(?P<secret>[a-z0-9][\w.-]{2,})", "bucket"),
    rule("role", r"arn:aws[\w-]*:(?:iam|sts)::[^:\s]*:(?:role|user|assumed-role|instance-profile)/(?P<secret>[\w+=,.@/-]+)", "arn:aws"),
    rule("account-name", r"(?:AWS_PROFILE|SLURM_JOB_ACCOUNT|SLURM_JOB_USER|--account|--profile|WANDB_ENTITY)[= ](?P<secret>[\w.-]+)",
         "profile account slurm wandb_entity"),
)  # fmt: skip
