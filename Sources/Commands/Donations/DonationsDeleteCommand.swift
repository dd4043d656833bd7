import CommandTable
import Donations

/// Deletes donations by Apple's rules.
struct DonationsDeleteCommand: Command {
    static let verb = Verb(
        "donations delete", "delete donations by one selector, with what hangs on them",
        discussion: [
            "Follows Apple's rules: an item takes the activities strongly related to it along, a "
                + "domain those below it, and deleting all items takes every interaction too. The "
                + "receipt counts what went and why, says what stays, and holds no identifier.",
            "What would go is shown and a phrase must be typed. Without a terminal the answer is "
                + "no (exit 3), unless --yes is given.",
        ],
        options: DonationSelectors.options + [
            DonationOptions.strict, DonationOptions.everywhere, DonationOptions.yes,
        ] + DonationOptions.common,
        examples: [
            .init(
                "cksweep donations delete --app com.example.soup --group order-17",
                "an order and all that was donated about it"),
            .init(
                "cksweep donations delete --app com.example.soup --everything --yes",
                "signing out, in a script"),
            .init(
                "cksweep donations delete --app com.example.soup --activity-type "
                    + "com.example.soup.view", "the app can no longer do this"),
        ])
    private let arguments: Arguments
    private let selector: DonationSelector

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        selector = try DonationSelectors.required(arguments)
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await DonationDeleting.delete(selector, arguments, in: environment)
    }
}
