# Shared by the scripts beside it; sourced, not run.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The libraries that cksweep is built on.
build_packages=(libssl-dev libnghttp2-dev libcurl4-openssl-dev libsqlite3-dev libsimdjson-dev
    libunistring-dev libpq-dev pkg-config)

# What clients of the mock server are made of. The last brings axe, the rules of accessibility; the rest of
# it is not used.
client_tools=(pyicloud==2026.10.1 grpcio==1.85.1 selenium==4.51.0 PyYAML==6.0.3
    axe-playwright-python==0.1.8)

say() { printf '\n==> %s\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 2; }

# need_packages NAME...: installs the Debian packages that are missing; does nothing when all are there.
need_packages() {
    command -v dpkg-query >/dev/null 2>&1 ||
        fail "this is not Debian or Ubuntu (no dpkg); install by hand what these packages hold: $*"
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' ||
            missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 ||
            fail "missing Debian packages: ${missing[*]}. Run as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "Installing Debian packages: ${missing[*]}"
    local log
    log=$(mktemp)
    "${as_root[@]}" apt-get update -qq >"$log" 2>&1 ||
        printf 'warning: apt-get update failed; trying with the lists that are there\n' >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >>"$log" 2>&1 ||
        { tail -n 40 "$log" >&2; rm -f "$log"; fail "apt-get could not install: ${missing[*]}"; }
    rm -f "$log"
}

# need_python FOLDER PIN...: makes a Python environment that has these packages, of these versions.
need_python() {
    local folder=$1 pins=("${@:2}")
    [[ $(cat "$folder/pins" 2>/dev/null) != "${pins[*]}" ]] || return 0
    say "Installing ${pins[*]} into $folder"
    python3 -m venv "$folder" >&2 || fail "no Python environment could be made in $folder"
    "$folder/bin/python3" -m pip install -q "${pins[@]}" >&2 || fail "pip could not install them"
    echo "${pins[*]}" >"$folder/pins"
}

# need_openapi_tools: the programs that read an OpenAPI document, in an environment of their own.
need_openapi_tools() {
    need_packages python3 python3-venv
    export CKSWEEP_OPENAPI_TOOLS=$root/.build/openapi-tools
    need_python "$CKSWEEP_OPENAPI_TOOLS" schemathesis==4.32.5 openapi-spec-validator==0.9.0 \
        openapi-python-client==0.29.1
}

# quietly LOG WORDS -- COMMAND...: runs a long command with its output in a file. On a terminal one line moves
# with it; what it said last is shown when it fails.
quietly() {
    local log=$1 words=$2 began=$SECONDS status=0
    shift 3
    mkdir -p "$(dirname "$log")"
    if [ ! -t 2 ]; then
        say "$words; its output is in $log"
        "$@" >"$log" 2>&1 || status=$?
    else
        "$@" >"$log" 2>&1 &
        local job=$!
        while kill -0 "$job" 2>/dev/null; do
            printf '\r\033[K==> %s: %ss %s' "$words" $((SECONDS - began)) \
                "$(tail -c 400 "$log" | tr '\r' '\n' | grep -o '^\[[0-9]*/[0-9]*\]' | tail -n 1)" >&2
            sleep 0.5
        done
        wait "$job" || status=$?
        printf '\r\033[K' >&2
    fi
    [ "$status" -eq 0 ] || { tail -n 40 "$log" >&2; fail "it failed; all that it said is in $log"; }
}

# nearest WORD NAME...: the name that WORD is most like, by letters to change.
nearest() {
    local word=$1
    shift
    printf '%s\n' "$@" | awk -v word="$word" '
        function least(a, b) { return a < b ? a : b }
        {
            n = length(word); m = length($0)
            for (j = 0; j <= m; j++) row[j] = j
            for (i = 1; i <= n; i++) {
                corner = row[0]; row[0] = i
                for (j = 1; j <= m; j++) {
                    above = row[j]
                    cost = substr(word, i, 1) != substr($0, j, 1)
                    row[j] = least(least(above, row[j - 1]) + 1, corner + cost)
                    corner = above
                }
            }
            if (NR == 1 || row[m] < best) { best = row[m]; name = $0 }
        }
        END { print name }'
}

# need_swift: says so when no Swift 6.2 or newer is on the path.
need_swift() {
    if ! command -v swift >/dev/null 2>&1; then
        fail "no Swift toolchain found: install Swift 6.2 or newer (swift.org/install) and put" \
            "its usr/bin folder on PATH"
    fi
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' |
        head -n 1)
    local major=${version%%.*} minor=${version#*.}
    if [ -z "$version" ] || [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
        fail "Swift 6.2 or newer is needed, this is ${version:-unknown}: $(command -v swift)"
    fi
}

# build_programs WORDS...: builds the two programs with these words of swift build; prints where they are.
build_programs() {
    swift build "$@" --product cloudkit-mock >&2 && swift build "$@" --product cksweep >&2 &&
        swift build "$@" --show-bin-path
}
