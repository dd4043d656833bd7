import CommandLine
import DonationStore
import Donations
import FileSystem

/// Writes all donations as JSON.
struct DonationsExportCommand: Command {
    private static let into = Option(
        "output", short: "o", value: .file, "write FILE (default: standard output)")

    static let verb = Verb(
        "donations export", "write everything held for the user as canonical JSON",
        discussion: [
            "The same donations produce the same bytes. \"donations donate\" reads the file "
                + "again. An existing file is not overwritten. Activities from other devices that "
                + "wait for an item that is not indexed here are left out."
        ],
        options: [into] + DonationOptions.common,
        examples: [
            .init(
                "cksweep donations export --app com.example.soup -o soup.json",
                "a copy for the user")
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        if arguments.has(CommonOptions.json), !arguments.has(Self.into) {
            throw UsageError("--json needs --output: both would go to standard output")
        }
        self.arguments = arguments
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        guard let path = arguments.text(Self.into) else {
            let parked = try await donations.use { store throws(DonationError) in
                // Piece by piece: it need not fit into memory.
                try await store.export {
                    environment.output.write(String(decoding: $0, as: UTF8.self))
                }
                return try await store.parkedCount()
            }
            Self.tell(parked, console)
            return .done
        }
        let (bytes, counts, parked) = try await donations.use { store throws(DonationError) in
            var bytes: [UInt8] = []
            let counts = try await store.export { bytes += $0 }
            return (bytes, counts, try await store.parkedCount())
        }
        do throws(FileError) {
            try environment.files.write(bytes, to: path, mode: 0o600, replacing: false)
        } catch {
            throw CommandFailure(error)
        }
        console.result(["wrote \(DonationText.counts(counts)) to \(path)"])
        Self.tell(parked, console)
        console.event(
            Event(
                "exported",
                [
                    .init("file", path), .init("bytes", bytes.count),
                    .init("counts", .object(DonationText.kept(counts))), .init("waiting", parked),
                ]))
        return .done
    }

    /// Says what is left out.
    private static func tell(_ parked: Int, _ console: Console) {
        guard parked > 0 else { return }
        console.note(
            "\(Counts.some(parked, "row")) from other devices left out: the item that they belong "
                + "to is not indexed here")
    }
}
