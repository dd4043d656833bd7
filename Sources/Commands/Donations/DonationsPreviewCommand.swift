import Donations

/// Shows what a deletion would remove.
package struct DonationsPreviewCommand: Command {
    package static let verbName = "donations preview"
    package static let verb = Verb(
        verbName, "show the receipt of what \"donations delete\" would remove",
        options: DonationSelectors.options + DonationOptions.common,
        examples: [
            .init(
                "cksweep donations preview --app com.example.soup --domain menu",
                "what hangs on a domain")
        ])
    private let arguments: Arguments
    private let selector: DonationSelector

    package init(_ arguments: Arguments) throws(UsageError) {
        try DonationOptions.check(arguments)
        self.arguments = arguments
        selector = try DonationSelectors.required(arguments)
    }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await DonationDeleting.preview(selector, arguments, in: environment)
    }
}
