import CommandLine
import DonationStore
import Donations

/// Removes what is past its time.
struct DonationsExpireCommand: Command {
    static let verb = Verb(
        "donations expire", "remove expired donations",
        discussion: [
            "Donations whose expiration date has passed are hidden. This removes them, and the "
                + "activities strongly related to expired items."
        ],
        options: DonationOptions.common,
        examples: [.init("cksweep donations expire --app com.example.soup", "once a day")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let receipts = try await donations.use { store throws(DonationError) in
            try await store.expire()
        }
        var totals: [DonationKind: Int] = [:]
        for receipt in receipts {
            for count in receipt.counts { totals[count.kind, default: 0] += count.rows }
            console.event(DonationText.event(receipt, named: "expired"))
        }
        console.result("EXPIRED: " + DonationText.counts(totals))
        return .done
    }
}
