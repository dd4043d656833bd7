# Makes the packages, the tarball and the image; sourced by scripts/package, which sets programs (their names), built
# (their folder), version and revision.
# shellcheck shell=bash

# staging FOLDER PROGRAM: all of a program that is installed, below FOLDER/usr, with the dates of the source.
staging() {
    local usr=$1/usr program=$2 file=$built/$2 page section pages
    case $program in
        cksweep) pages="cksweep.1 cksweep-donations.1 cksweep-containers.5" ;;
        cloudkit-mock) pages="cloudkit-mock.1" ;;
    esac
    install -D -m 755 "$file" "$usr/bin/$program"
    for page in $pages; do
        section=${page##*.}
        mkdir -p "$usr/share/man/man$section"
        "$file" help --as mdoc "${page%.*}" | gzip -9n >"$usr/share/man/man$section/$page.gz"
    done
    mkdir -p "$usr/share/bash-completion/completions" "$usr/share/zsh/vendor-completions" \
        "$usr/share/fish/vendor_completions.d"
    "$file" completions bash >"$usr/share/bash-completion/completions/$program"
    # The shell calls the function that is named as the file.
    "$file" completions zsh >"$usr/share/zsh/vendor-completions/_${program//-/_}"
    "$file" completions fish >"$usr/share/fish/vendor_completions.d/$program.fish"
    local doc=$usr/share/doc/$program
    mkdir -p "$doc"
    python3 -B scripts/packaging/copyright.py "$file" >"$doc/copyright"
    cp "$output/$program.spdx.json" "$doc/"
    printf '%s (%s) unstable; urgency=medium\n\n  * Built from commit %s.\n\n -- %s  %s\n' \
        "$program" "$debian_version" "$revision" "$maintainer" "$(date -Ru -d "@$SOURCE_DATE_EPOCH")" |
        gzip -9n >"$doc/changelog.gz"
    case $program in
        cksweep)
            # What the commit has and nothing else: a list or a token of whoever builds may lie beside it.
            git ls-files -z Containers | while IFS= read -r -d '' page; do
                install -D -m 644 "$page" "$doc/examples/$page"
            done ;;
        cloudkit-mock)
            install -D -m 644 scripts/packaging/cloudkit-mock.service "$usr/lib/systemd/system/cloudkit-mock.service" ;;
    esac
    dated "$1"
}

dated() { find "$1" -depth -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# The release whose libraries the program needs is part of the version.
debian_version=$(. /etc/os-release && echo "$version+${ID/debian/deb}${VERSION_ID:-}")
maintainer=${DEBEMAIL:-cksweep <cksweep@localhost>}
architecture=$(dpkg --print-architecture)

# description PROGRAM: what a package manager shows, and what the package asks for.
description() {
    case $1 in
        cksweep) cat <<END
Recommends: cloudkit-mock
Description: delete everything an app stores about a user in CloudKit
 cksweep deletes everything that an app stores about one user in the CloudKit
 containers it uses, scans everything again and signs the evidence. The package
 cloudkit-mock has a server to rehearse with.
END
            ;;
        cloudkit-mock) cat <<END
Description: CloudKit Web Services for tests and rehearsals
 cloudkit-mock serves CloudKit Web Services over TLS on this machine, for tests
 of any client: with faults, a clock, snapshots and a journal of requests.
END
            ;;
    esac
}

# deb STAGING PROGRAM FILE
deb() {
    local work depends
    work=$(mktemp -d)
    mkdir -p "$work/debian"
    printf 'Source: %s\n\nPackage: %s\nArchitecture: %s\n' "$2" "$2" "$architecture" >"$work/debian/control"
    depends=$(cd "$work" && dpkg-shlibdeps -O -e"$1/usr/bin/$2" 2>/dev/null) ||
        fail "the packages that $2 depends on cannot be told"
    depends=${depends#shlibs:Depends=}
    cp -a "$1" "$work/root"
    mkdir "$work/root/DEBIAN"
    (cd "$work/root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    cat >"$work/root/DEBIAN/control" <<END
Package: $2
Version: $debian_version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(find "$work/root/usr" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1024) + 1 }')
Depends: $depends, ca-certificates
Section: utils
Priority: optional
$(description "$2")
 .
 No licence has been chosen by the owner.
END
    dated "$work/root"
    dpkg-deb --root-owner-group -Zxz -z6 --build "$work/root" "$3" >/dev/null
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
    local stage program name folder=$1
    stage=$(mktemp -d)
    chmod 755 "$stage"
    mkdir "$stage/all"
    for program in "${programs[@]}"; do
        mkdir "$stage/$program"
        staging "$stage/$program" "$program"
        name="${program}_${debian_version}_$architecture.deb"
        deb "$stage/$program" "$program" "$folder/$name"
        made+=("$name")
        cp -a "$stage/$program/usr" "$stage/all/"
    done
    dated "$stage/all"
    name=cksweep-$version-linux-$(uname -m).tar.gz
    tarball "$stage/all" "$folder/$name"
    made+=("$name")
    name=cloudkit-mock-$version-$architecture.oci.tar
    python3 -B scripts/packaging/image.py "$built/cloudkit-mock" "$version" "$revision" \
        "$output/cloudkit-mock.spdx.json" "$folder/$name" >&2
    made+=("$name")
    rm -rf "$stage"
}
