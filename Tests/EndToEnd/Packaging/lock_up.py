"""Changes a runtime's config.json: no capability, no new privilege, nothing to write to but two folders in memory.

    lock_up.py CONFIG UNIT FILTERS [WORD...]

The program may make the system calls that the unit of systemd lets it make; FILTERS is what "systemd-analyze
syscall-filter" prints. With words, the program gets these instead of the image's own.
"""
import json
import re
import sys


def groups(path):
    """What each group of system calls names, groups among it."""
    found, name = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip()
            if line.startswith("@"):
                name = line
                found[name] = []
            elif name and re.fullmatch(r" {4}[@a-z_0-9-]+", line):
                found[name].append(line.strip())
            elif not line.startswith(" "):
                name = None
    return found


def expanded(name, found):
    if not name.startswith("@"):
        return {name}
    return set().union(*(expanded(member, found) for member in found[name]))


def seccomp(unit, filters):
    """The unit's filter, as the runtime takes it."""
    with open(unit, encoding="utf-8") as file:
        text = file.read()
    lines = re.findall(r"^SystemCallFilter=(.*)$", text, re.M)
    # Without a number, systemd ends who makes a call that is not allowed.
    action = ({"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 1}
              if "\nSystemCallErrorNumber=EPERM\n" in text else {"defaultAction": "SCMP_ACT_KILL_PROCESS"})
    found = groups(filters)
    allowed = expanded("@default", found)
    for line in lines:
        names = set().union(*(expanded(name, found) for name in line.lstrip("~").split()))
        allowed = allowed - names if line.startswith("~") else allowed | names
    # What the runtime itself does between setting the filter and starting the program.
    allowed |= {"execve", "exit_group", "futex", "capset", "prctl", "setuid", "setgid", "setgroups", "openat2"}
    assert len(allowed) > 100 and "mount" not in allowed, sorted(allowed)
    return {**action, "architectures": ["SCMP_ARCH_X86_64"],
            "syscalls": [{"names": sorted(allowed), "action": "SCMP_ACT_ALLOW"}]}


path, unit, filters, words = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
with open(path, encoding="utf-8") as file:
    config = json.load(file)
process = config["process"]
process["terminal"] = False
process["noNewPrivileges"] = True
process["capabilities"] = {kind: [] for kind in ("bounding", "effective", "permitted", "inheritable", "ambient")}
process.pop("rlimits", None)
if words:
    process["args"] = process["args"][:1] + words
assert process["user"]["uid"] == 65532, process["user"]
config["linux"]["seccomp"] = seccomp(unit, filters)
config["root"]["readonly"] = True
for place, mode in (("/var/lib/cloudkit-mock", "0700"), ("/tmp", "1777")):
    config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] != place]
    config["mounts"].append({
        "destination": place, "type": "tmpfs", "source": "tmpfs",
        "options": ["nosuid", "nodev", "noexec", f"mode={mode}", "uid=65532", "gid=65532", "size=64m"]})
with open(path, "w", encoding="utf-8") as file:
    json.dump(config, file)
