import CommandLine
import Donations

/// Shows what a deletion would remove.
struct DonationsPreviewCommand: Command {
    static let verb = Verb(
        "donations preview", "show the receipt of what \"donations delete\" would remove",
        options: DonationSelectors.options + DonationOptions.common,
        examples: [
            .init(
                "cksweep donations preview --app com.example.soup --domain menu",
                "everything related to a domain")
        ])
    private let arguments: Arguments
    private let selector: DonationSelector

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        selector = try DonationSelectors.required(arguments)
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await DonationDeleting.preview(selector, arguments, in: environment)
    }
}
