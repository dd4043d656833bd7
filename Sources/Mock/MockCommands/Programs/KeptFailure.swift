import CommandLine
import FileSystem

/// What is kept of a mock server whose program has failed.
struct KeptFailure {
    let admin: AdminClient
    let folder: String
    let files: Files

    /// What the folder gets of the server's administration, where the server has it.
    private static let parts = [
        ("journal?limit=10000", "journal.json"), ("faults", "faults.json"),
        ("options", "options.json"), ("clock", "clock.json"),
        ("findings?final=true", "findings.json"),
    ]

    /// Writes state, journal and what else tells how it came about, and how to repeat it.
    ///
    /// - Parameter replay: The command line that repeats it.
    func keep(seed: UInt64, replay: String) async throws(CommandFailure) {
        try write(Array("\(seed)\n".utf8), to: "seed")
        try write(Array("\(replay)\n".utf8), to: "replay.sh")
        for (path, file) in Self.parts {
            if let bytes = try await admin.bytes(path) { try write(bytes, to: file) }
        }
        try await keepState()
    }

    /// An archive that `cloudkit-mock import` takes; of a server that makes none, what each user has.
    private func keepState() async throws(CommandFailure) {
        if let archive = try await admin.bytes("export") {
            return try write(archive, to: "state.export")
        }
        var lines = try await admin.bytes("dump") ?? []
        let users = try await admin.ask(.get, "users")["users"].map { Array($0.elements) } ?? []
        for name in users.compactMap({ $0["name"]?.string }) {
            lines += try await admin.bytes("dump?user=\(AdminClient.escaped(name))") ?? []
        }
        try write(lines, to: "state.jsonl")
    }

    private func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
        do throws(FileError) {
            try files.makeFolder(folder)
            // Tokens are among it.
            try files.write(bytes, to: "\(folder)/\(name)", mode: 0o600, replacing: true)
        } catch {
            throw CommandFailure(error)
        }
    }
}
