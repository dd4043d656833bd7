import Configuration
import DonationStore
import Donations

/// What the verbs that name donations by a selector share.
enum DonationDeleting {
    /// Shows what would go.
    static func preview(
        _ selector: DonationSelector, _ arguments: Arguments, in environment: Environment
    ) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let receipt = try await donations.use { store throws(DonationError) in
            try await store.preview(selector)
        }
        console.result(
            DonationText.lines(receipt, done: false, console.style).joined(separator: "\n"))
        console.event(DonationText.event(receipt, named: "preview"))
        return .done
    }

    /// Shows what would go, asks, and deletes.
    static func delete(
        _ selector: DonationSelector, _ arguments: Arguments, in environment: Environment
    ) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let scope: DeletionScope =
            arguments.has(DonationOptions.everywhere) ? .everywhere : .thisDevice
        let receipt = try await donations.use { store throws(DonationError) -> DonationReceipt? in
            if !arguments.has(DonationOptions.yes) {
                let preview = try await store.preview(selector)
                guard await confirms(preview, console) else { return nil }
            }
            return try await store.delete(selector, scope: scope)
        }
        guard let receipt else {
            console.event(Event("refused", [.init("reason", "not confirmed")]))
            return .status(.refused)
        }
        console.result(
            DonationText.lines(receipt, done: true, console.style).joined(separator: "\n"))
        console.event(DonationText.event(receipt, named: "deleted"))
        return .done
    }

    /// What must be typed.
    static func phrase(_ preview: DonationReceipt) -> String {
        "delete \(preview.removedCount)"
    }

    private static func confirms(_ preview: DonationReceipt, _ console: Console) async -> Bool {
        if preview.removedCount == 0, preview.scrubbedCount == 0 { return true }
        let errors = console.environment.errors
        let terminal = console.environment.terminal
        guard terminal.inputIsTerminal, terminal.errorsIsTerminal else {
            errors.write(
                "There is no terminal to ask at, and nothing is deleted. --yes deletes without a "
                    + "question.\n")
            return false
        }
        let lines = DonationText.lines(preview, done: false, console.errorStyle)
        errors.write(lines.joined(separator: "\n") + "\n")
        let phrase = phrase(preview)
        errors.write("Type \(console.errorStyle.text("\"\(phrase)\"", .strong)) to go on: ")
        guard let line = await console.environment.input.line(within: Confirmation.timeMax) else {
            errors.write("\nNo answer; nothing is deleted.\n")
            return false
        }
        let isRight = line.drop { $0.isWhitespace }.trimmingBlank == phrase
        if !isRight { errors.write("That is not the phrase; nothing is deleted.\n") }
        return isRight
    }
}
