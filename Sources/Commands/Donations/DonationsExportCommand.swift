import DonationStore
import Donations

/// Writes all donations as JSON.
package struct DonationsExportCommand: Command {
    private static let into = Option(
        "output", short: "o", value: .file, "write FILE (default: standard output)")

    package static let verb = Verb(
        "donations export", "write everything held for the user as canonical JSON",
        discussion: [
            "The same donations give the same bytes. \"donations donate\" reads the file again. A "
                + "file that is there already is not overwritten."
        ],
        options: [into] + DonationOptions.common,
        examples: [
            .init(
                "cksweep donations export --app com.example.soup -o soup.json",
                "a copy for the person")
        ])
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) {
        try DonationOptions.check(arguments)
        if arguments.has(CommonOptions.json), !arguments.has(Self.into) {
            throw UsageError("--json needs --output: both would go to standard output")
        }
        self.arguments = arguments
    }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        guard let path = arguments.text(Self.into) else {
            try await donations.use { store throws(DonationError) in
                // Piece by piece: it need not fit into memory.
                try await store.export {
                    environment.output.write(String(decoding: $0, as: UTF8.self))
                }
            }
            return .done
        }
        let (bytes, counts) = try await donations.use { store throws(DonationError) in
            (try await store.export(), try await store.counts())
        }
        do throws(FileError) {
            try environment.files.write(bytes, to: path, mode: 0o600, replacing: false)
        } catch {
            throw CommandFailure(error)
        }
        console.result("wrote \(DonationText.counts(counts)) to \(path)")
        console.event(
            Event(
                "exported",
                [
                    .init("file", path), .init("bytes", bytes.count),
                    .init("counts", .object(DonationText.kept(counts))),
                ]))
        return .done
    }
}
