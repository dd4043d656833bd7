import CommandLine
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
            try await store.preview(selector, scope: .thisDevice)
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
                let preview = try await store.preview(selector, scope: scope)
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
        let lines = DonationText.lines(preview, done: false, console.errorStyle)
        return await PhraseQuestion(console: console, otherwise: "nothing was deleted").isConfirmed(
            lines.joined(separator: "\n"), phrase: phrase(preview),
            instead: ", and nothing was deleted. --yes deletes without a prompt.")
    }
}
