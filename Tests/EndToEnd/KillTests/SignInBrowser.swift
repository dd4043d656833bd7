import Foundation

/// A browser without a window, as a program: it follows the page that it is started with, and signs Ann
/// in. `BROWSER_CA`, or else `CLOUDKIT_EMULATOR_CA`, names the server's authority.
enum SignInBrowser {
    /// Writes the program into a folder.
    ///
    /// - Returns: its path.
    static func put(in folder: URL) throws -> String {
        let url = folder.appendingPathComponent("browser")
        try script.write(to: url, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        return url.path
    }

    private static let script = #"""
        #!/bin/bash
        set -e
        attribute() { sed -n "s/.*$1=\"\([^\"]*\)\".*/\1/p" | head -n 1; }
        authority=${BROWSER_CA:-$CLOUDKIT_EMULATOR_CA}
        curl() { /usr/bin/curl -sS --max-time 60 --cacert "$authority" "$@"; }
        page=$(curl "$1")
        url=$(printf '%b' "$(attribute data-url <<<"$page" | sed 's/%/\\x/g')")
        form=$(curl "$url")
        field() { grep "name=\"$1\"" <<<"$form" | attribute value; }
        said=$(curl --data-urlencode "apiToken=$(field apiToken)" \
            --data-urlencode "origin=$(field origin)" --data-urlencode user=ann "${url%%\?*}")
        token=$(sed -n 's/.*>\([^<]*\)<\/textarea>.*/\1/p' <<<"$said")
        here=${1%/*}
        curl -H "Origin: $here" --data-urlencode "ckWebAuthToken=$token" \
            --data-urlencode "state=$(attribute data-state <<<"$page")" "$here/token"
        """#
}
