import CommandLine
import FileSystem

/// What is kept of a mock server whose program has failed.
struct KeptFailure {
    let admin: AdminClient
    let folder: String
    let files: Files

    /// What the folder gets of the server's administration, besides a snapshot.
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
            try write(try await admin.bytes(path), to: file)
        }
        try write(try await admin.snapshotFile(), to: "state.snapshot")
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
