import CommandLine
import DonationStore
import Donations

/// Looks for what deletions left behind.
struct DonationsRemainingCommand: Command {
    static let verb = Verb(
        "donations remaining", "search for donations that still mention something",
        discussion: [
            "Searches every key, handle, parameter and text of every donation for each TEXT, "
                + "such as a contact's identifiers and address after the contact was deleted. "
                + "Without a TEXT it counts everything. Exit 0: nothing is left; 6: something is."
        ],
        positionals: [Positional(.text("TEXT"), .any, "an identifier, a name, an address")],
        options: DonationOptions.common,
        examples: [
            .init(
                "cksweep donations remaining --app com.example.chat ann@example.com",
                "does a donation still mention her?")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let words = Set(arguments.positionals)
        let (counts, entries) = try await donations.use {
            store throws(DonationError) -> ([DonationKind: Int], [DonationReceipt.Entry]) in
            guard !words.isEmpty else { return (try await store.counts(), []) }
            let entries = try await store.remainder(mentioning: words)
            var counts: [DonationKind: Int] = [:]
            for entry in entries { counts[entry.kind, default: 0] += 1 }
            return (counts, entries)
        }
        let rows = counts.values.reduce(0, +)
        console.result(
            rows == 0
                ? console.style.text("NOTHING LEFT", .good)
                : console.style.text("LEFT: ", .bad) + DonationText.counts(counts))
        for entry in entries where console.isVerbose {
            console.result("  \(DonationText.noun(entry.kind, 1)) \(entry.identifierDigest)")
        }
        console.event(
            Event(
                "remaining",
                [
                    .init("rows", rows), .init("counts", .object(DonationText.kept(counts))),
                    .init("entries", .list(DonationText.entries(entries))),
                ]))
        return .status(rows == 0 ? .done : .dataLeft)
    }
}
