import CommandLine
import FileSystem

/// How this machine is made to trust a certificate authority, or no longer.
///
/// Linux distributions keep a folder of additional authorities and a command that reads it.
struct TrustStore: Sendable {
    /// The folder that authorities are put in.
    let folder: String
    /// The command that makes them known.
    let command: [String]
    /// Of our file there.
    static let fileName = "cloudkit-mock.crt"

    private static let all = [
        TrustStore(
            folder: "/usr/local/share/ca-certificates", command: ["update-ca-certificates"]),
        TrustStore(folder: "/etc/pki/ca-trust/source/anchors", command: ["update-ca-trust"]),
        TrustStore(
            folder: "/etc/ca-certificates/trust-source/anchors", command: ["update-ca-trust"]),
        TrustStore(folder: "/etc/pki/trust/anchors", command: ["update-ca-certificates"]),
    ]

    /// The one of this machine; nil when none of those that are known is there.
    static func find(_ files: Files) -> TrustStore? {
        all.first { files.facts($0.folder)?.isFolder == true }
    }

    /// The commands, in order, for somebody who may do so.
    func commands(trusting file: String) -> [[String]] {
        let place = "\(folder)/\(Self.fileName)"
        return [["install", "-m", "644", file, place], command]
    }

    func commandsToForget() -> [[String]] {
        // With --fresh, Debian's takes links away too.
        let command = command.first == "update-ca-certificates" ? command + ["--fresh"] : command
        return [["rm", "-f", "\(folder)/\(Self.fileName)"], command]
    }

    /// For browsers that have a store of their own.
    static func browserCommand(trusting file: String?, home: String) -> [String] {
        let store = ["certutil", "-d", "sql:\(home)/.pki/nssdb"]
        guard let file else { return store + ["-D", "-n", "cloudkit-mock"] }
        return store + ["-A", "-t", "C,,", "-n", "cloudkit-mock", "-i", file]
    }
}
