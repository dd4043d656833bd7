import CloudCommandLine
import CloudModel
import CommandLine
import Configuration
import DonationFiles
import DonationStore
import Donations
import FileSystem

/// Puts donations into a store.
struct DonationsDonateCommand: Command {
    static let verb = Verb(
        "donations donate", "put donations from JSON into the store",
        discussion: [
            "Reads an array, one object per line, or an export; FILE \"-\" is standard input. "
                + "Each object has a \"kind\" (interaction, activity, searchableItem or appIntent) "
                + "and a \"type\" (the intent's class, the activity's type). Anything else is an "
                + "error with line and column, and then nothing is stored.",
            "The same identifier means the same event: the last one wins. An activity that is "
                + "strongly related to an item that is not indexed is refused, as on Apple's "
                + "systems, and so is anything linked to a restricted container. Refusals are "
                + "counted, and the exit code is then 3.",
            "The donations of an export are stored; its plain lists, such as voice shortcuts "
                + "and vocabulary, are not, and a warning lists them.",
        ],
        positionals: [Positional(.file, .one, "JSON, or - for standard input")],
        options: [DonationOptions.manifest] + DonationOptions.common,
        examples: [
            .init("cksweep donations donate orders.json --app com.example.soup", "from a file"),
            .init(
                "cat orders.jsonl | cksweep donations donate - --app com.example.soup",
                "one object per line"),
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let file = arguments.positionals.first ?? "-"
        let isInput = file == "-"
        var reader = DonationReader(
            file: isInput ? "standard input" : file, now: environment.wallClock.now,
            seed: environment.freshSeed())
        let bytes: [UInt8]
        do throws(FileError) {
            bytes =
                try isInput
                ? environment.files.readStandardInput() : environment.files.read(file)
        } catch {
            throw CommandFailure(error)
        }
        let rows: [Donation]
        do throws(ConfigurationError) {
            rows = try reader.read(bytes)
        } catch {
            throw CommandFailure(error)
        }
        let donations = try OpenDonations(arguments, in: environment, makes: true)
        for finding in donations.findings { console.warning(finding) }
        if reader.listEntries > 0 {
            let entries = reader.listEntries == 1 ? "entry" : "entries"
            console.warning(
                "\(TextTable.grouped(reader.listEntries)) \(entries) of the export's plain "
                    + "lists left out: the app sets its lists itself")
        }
        let outcomes = try await donations.use { store throws(DonationError) in
            try await store.store(rows)
        }
        return report(outcomes, console)
    }

    private func report(_ outcomes: [DonationOutcome], _ console: Console) -> VerbResult {
        var counts: [DonationOutcome: Int] = [:]
        for outcome in outcomes { counts[outcome, default: 0] += 1 }
        let parts = DonationOutcome.allCases.compactMap { outcome -> String? in
            guard let count = counts[outcome] else { return nil }
            return "\(TextTable.grouped(count)) \(Self.words(outcome))"
        }
        console.result(parts.isEmpty ? "nothing to donate" : parts.joined(separator: ", "))
        let fields = DonationOutcome.allCases.compactMap { outcome in
            counts[outcome].map { Event.Field(outcome.rawValue, $0) }
        }
        console.event(Event("donated", fields))
        let isRefused = outcomes.contains { !$0.isStored && $0 != .unchanged }
        return .status(isRefused ? .refused : .done)
    }

    private static func words(_ outcome: DonationOutcome) -> String {
        switch outcome {
        case .stored: "stored"
        case .replaced: "replaced"
        case .unchanged: "unchanged"
        case .refusedItemMissing: "refused: the strongly related item is not indexed"
        case .refusedRestricted: "refused: the container is restricted"
        case .refusedErased: "refused: the zone was erased"
        case .refusedDeleted: "refused: it was deleted on all devices"
        case .refusedActivityType: "refused: the app does not declare the activity type"
        case .refusedValue: "refused: a value of an unsupported kind"
        case .refusedFromSiri: "refused: Siri records it already"
        case .refusedInvalid: "refused: no longer valid"
        }
    }
}
