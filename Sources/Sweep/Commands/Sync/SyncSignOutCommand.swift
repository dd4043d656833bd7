import CloudCommandLine
import CloudModel
import CommandLine
import DonationStore
import SyncEngine

/// What an app does when its user signs out.
struct SyncSignOutCommand: Command {
    static let verb = Verb(
        "sync sign-out", "remove a signed-out user's donations on this device",
        discussion: [
            "Removes the donations linked to the container (all of the list, unless one is "
                + "named) on this device, and discards the sync state of its databases. Sends "
                + "nothing: the user's other devices are still signed in.",
            "Without a terminal to prompt at, --yes is required.",
        ],
        positionals: [
            Positional(
                .known("CONTAINER", .container), .optional,
                "one container (default: the whole list)")
        ],
        options: [SyncOptions.yes] + SyncOptions.common,
        examples: [.init("cksweep sync sign-out --yes", "in the app's sign-out")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let place = try SyncPlace(arguments, in: environment)
        guard let session = try SyncSession(at: place, arguments, in: environment) else {
            place.console.result("SIGNED OUT: there is no donation store, and nothing to remove")
            return .done
        }
        var containers = session.request.containers
        if let name = arguments.positionals.first {
            do throws(CommandFailure) {
                containers = [try session.container(name)]
            } catch {
                await session.donations.flushAndClose()
                throw error
            }
        }
        guard await confirms(containers, session.console) else {
            await session.donations.flushAndClose()
            session.console.event(Event("refused", [.init("reason", "not confirmed")]))
            return .status(.refused)
        }
        let removed = try await session.use { syncer throws(SyncActFailure) in
            var removed: [Int] = []
            for container in containers {
                removed.append(
                    try await inStore { () throws(DonationError) in
                        try await syncer.signOut(of: container)
                    })
            }
            return removed
        }
        for (container, rows) in zip(containers, removed) {
            session.console.event(
                Event(
                    "signed_out",
                    [.init("container", container.rawValue), .init("removed", rows)]))
        }
        session.console.result([
            "SIGNED OUT: \(Counts.some(removed.reduce(0, +), "donation")) removed here; "
                + "nothing was sent"
        ])
        return .done
    }

    static let phrase = "sign out"

    private func confirms(_ containers: [Container.ID], _ console: Console) async -> Bool {
        if arguments.has(SyncOptions.yes) { return true }
        return await PhraseQuestion(console: console, otherwise: "nothing was deleted").isConfirmed(
            "The donations linked to these containers will be deleted, on this device only:"
                + containers.map { "\n  \($0)" }.joined(), phrase: Self.phrase,
            instead: ", and nothing was deleted. --yes deletes without a prompt.")
    }
}
