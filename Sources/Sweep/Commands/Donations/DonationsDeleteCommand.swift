import CommandLine
import Donations

/// Deletes donations by Apple's rules.
struct DonationsDeleteCommand: Command {
    static let verb = Verb(
        "donations delete", "delete donations by one selector, with everything related to them",
        discussion: [
            "Follows Apple's rules: deleting an item also deletes the activities strongly "
                + "related to it, a domain includes its subdomains, and deleting all items deletes "
                + "every interaction too. The receipt counts what was deleted and why, lists what "
                + "stays, and contains no identifier.",
            "Shows what would be deleted and asks for a phrase. Without a terminal the answer "
                + "is no (exit 3), unless --yes is given.",
        ],
        options: DonationSelectors.options + [
            DonationOptions.strict, DonationOptions.everywhere, DonationOptions.yes,
        ] + DonationOptions.common,
        examples: [
            .init(
                "cksweep donations delete --app com.example.soup --group order-17",
                "an order and everything donated about it"),
            .init(
                "cksweep donations delete --app com.example.soup --everything --yes",
                "on sign-out, in a script"),
            .init(
                "cksweep donations delete --app com.example.soup --activity-type "
                    + "com.example.soup.view", "the app no longer supports this activity"),
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
