"""Types a line with a tabulator into a real shell on a terminal, and prints the words that the shell then runs.

    completing.py bash|zsh|fish PROGRAM FOLDER LINE

PROGRAM, a file, completes; the line itself is not carried out by it: a function of the same name prints its words.
"""
import os
import pty
import select
import sys

shell, program, folder, line = sys.argv[1:]
name = os.path.basename(program)
OVER = "<OVER>"
PRINTS = {
    "bash": ("%s() { if [ \"$1\" = __complete ]; then '%s' \"$@\"; else printf 'RAN<%%s>\\n' \"$@\"; "
             "echo \"<OV\"\"ER>\"; fi; }; set +o history\n"),
    "zsh": ("%s() { if [ \"$1\" = __complete ]; then '%s' \"$@\"; else printf 'RAN<%%s>\\n' \"$@\"; "
            "echo \"<OV\"\"ER>\"; fi; }; autoload -Uz compinit; compinit -u -D\n"),
    "fish": ("function %s; if test \"$argv[1]\" = __complete; '%s' $argv; else; "
             "printf 'RAN<%%s>\\n' $argv; echo \"<OV\"\"ER>\"; end; end\n"),
}
LOADS = {"bash": "source <(%s completions bash)\n", "zsh": "source <(%s completions zsh)\n",
         "fish": "%s completions fish | source\n"}
STARTS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"],
          "fish": ["fish", "--no-config", "-i"]}
SILENCE_MAX = 60  # seconds without a byte: it hangs

pid, terminal = pty.fork()
if pid == 0:
    os.chdir(folder)
    os.environ.update(TERM="dumb", HOME=folder, PS1="$ ", XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder,
                      ZDOTDIR=folder)
    os.execvp(STARTS[shell][0], STARTS[shell])


def read_until(mark, said):
    while mark not in said:
        ready, _, _ = select.select([terminal], [], [], SILENCE_MAX)
        if not ready:
            sys.exit(f"{shell} says nothing more; it said:\n{said}")
        try:
            said += os.read(terminal, 65536).decode(errors="replace")
        except OSError:
            sys.exit(f"{shell} has ended; it said:\n{said}")
    return said[said.index(mark) + len(mark):]


os.write(terminal, (PRINTS[shell] % (name, program)).encode())
os.write(terminal, (LOADS[shell] % program).encode())
os.write(terminal, b'echo "=READY""="\n')
rest = read_until("=READY=", "")
os.write(terminal, line.encode() + b"\n")
said = ""
while OVER not in said:
    ready, _, _ = select.select([terminal], [], [], SILENCE_MAX)
    if not ready:
        sys.exit(f"{shell} says nothing more; it said:\n{said}")
    said += os.read(terminal, 65536).decode(errors="replace")
os.close(terminal)
os.waitpid(pid, 0)
for found in said.replace("\r", "").split("\n"):
    if found.startswith("RAN<") and found.endswith(">"):
        print(found[4:-1])
