# Makes the .deb, the tarball and the image; sourced by scripts/package, which sets program, version and revision.
# shellcheck shell=bash

# staging FOLDER: everything that is installed, below FOLDER/usr, with the dates of the source.
staging() {
    local usr=$1/usr page section
    install -D -m 755 "$program" "$usr/bin/cksweep"
    for page in cksweep.1 cksweep-mock.1 cksweep-donations.1 cksweep-containers.5; do
        section=${page##*.}
        mkdir -p "$usr/share/man/man$section"
        "$program" help --as mdoc "${page%.*}" | gzip -9n >"$usr/share/man/man$section/$page.gz"
    done
    mkdir -p "$usr/share/bash-completion/completions" "$usr/share/zsh/vendor-completions" \
        "$usr/share/fish/vendor_completions.d"
    "$program" completions bash >"$usr/share/bash-completion/completions/cksweep"
    "$program" completions zsh >"$usr/share/zsh/vendor-completions/_cksweep"
    "$program" completions fish >"$usr/share/fish/vendor_completions.d/cksweep.fish"
    local doc=$usr/share/doc/cksweep
    mkdir -p "$doc/examples"
    python3 -B scripts/packaging/copyright.py "$program" >"$doc/copyright"
    cp "$output/cksweep.spdx.json" "$doc/"
    # What the commit has and nothing else: a list or a token of whoever builds may lie beside it.
    git ls-files -z Containers | while IFS= read -r -d '' page; do
        install -D -m 644 "$page" "$doc/examples/$page"
    done
    printf 'cksweep (%s) unstable; urgency=medium\n\n  * Built from commit %s.\n\n -- %s  %s\n' \
        "$debian_version" "$revision" "$maintainer" "$(date -Ru -d "@$SOURCE_DATE_EPOCH")" |
        gzip -9n >"$doc/changelog.gz"
    install -D -m 644 scripts/packaging/cksweep-mock.service "$usr/lib/systemd/system/cksweep-mock.service"
    dated "$1"
}

dated() { find "$1" -depth -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# The release whose libraries the program needs is part of the version.
debian_version=$(. /etc/os-release && echo "$version+${ID/debian/deb}${VERSION_ID:-}")
maintainer=${DEBEMAIL:-cksweep <cksweep@localhost>}
architecture=$(dpkg --print-architecture)

# deb STAGING FILE
deb() {
    local work depends
    work=$(mktemp -d)
    mkdir -p "$work/debian"
    printf 'Source: cksweep\n\nPackage: cksweep\nArchitecture: %s\n' "$architecture" >"$work/debian/control"
    depends=$(cd "$work" && dpkg-shlibdeps -O -e"$1/usr/bin/cksweep" 2>/dev/null) ||
        fail "the packages that the program depends on cannot be told"
    depends=${depends#shlibs:Depends=}
    cp -a "$1" "$work/root"
    mkdir "$work/root/DEBIAN"
    (cd "$work/root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    cat >"$work/root/DEBIAN/control" <<END
Package: cksweep
Version: $debian_version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(find "$work/root/usr" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1024) + 1 }')
Depends: $depends, ca-certificates
Section: utils
Priority: optional
Description: delete everything an app keeps about a person in CloudKit
 cksweep deletes everything that an app holds about one person in the CloudKit
 containers it uses, and proves it. A mock server to rehearse against, and to
 test other clients with, is part of it.
 .
 No licence has been chosen by the owner.
END
    dated "$work/root"
    dpkg-deb --root-owner-group -Zxz -z6 --build "$work/root" "$2" >/dev/null
    rm -rf "$work"
}

# tarball STAGING FILE
tarball() {
    local name=cksweep-$version
    tar --create --directory "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --format=ustar --transform="s,^usr,$name," usr | gzip -9n >"$2"
}

# package_all FOLDER: adds the names of what it makes to made.
package_all() {
    local stage folder=$1
    stage=$(mktemp -d)
    chmod 755 "$stage"
    staging "$stage"
    made=("cksweep_${debian_version}_$architecture.deb" "cksweep-$version-linux-$(uname -m).tar.gz"
        "cksweep-$version-$architecture.oci.tar")
    deb "$stage" "$folder/${made[0]}"
    tarball "$stage" "$folder/${made[1]}"
    python3 -B scripts/packaging/image.py "$program" "$version" "$revision" "$output/cksweep.spdx.json" \
        "$folder/${made[2]}" >&2
    rm -rf "$stage"
}
