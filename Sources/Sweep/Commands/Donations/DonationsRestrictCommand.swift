import CommandLine
import DonationStore
import Donations

/// Suspends the donations linked to a container.
struct DonationsRestrictCommand: Command {
    static let verb = Verb(
        "donations restrict", "suspend the donations linked to a container",
        discussion: [
            "Suspended donations are neither suggested nor found by searches, and no new ones "
                + "are accepted, until \"donations unrestrict\". Deletions still apply to them. "
                + "Without a CONTAINER, lists the restricted containers."
        ],
        positionals: [Positional(.container, .optional, "such as iCloud.com.example.soup")],
        options: DonationOptions.common,
        examples: [
            .init(
                "cksweep donations restrict iCloud.com.example.soup --app com.example.soup",
                "while a user has asked to stop processing")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await DonationRestriction.run(arguments, in: environment, restricts: true)
    }
}

/// Lifts the suspension of a container's donations.
struct DonationsUnrestrictCommand: Command {
    static let verb = Verb(
        "donations unrestrict", "end the suspension of a container's donations",
        positionals: [Positional(.container, .one, "such as iCloud.com.example.soup")],
        options: DonationOptions.common,
        examples: [
            .init(
                "cksweep donations unrestrict iCloud.com.example.soup --app com.example.soup",
                "suggest and find them again")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await DonationRestriction.run(arguments, in: environment, restricts: false)
    }
}

/// What both verbs do.
private enum DonationRestriction {
    static func run(
        _ arguments: Arguments, in environment: Environment, restricts: Bool
    ) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let container = arguments.positionals.first
        let restricted = try await donations.use { store throws(DonationError) in
            if let container, restricts { try await store.restrict(container: container) }
            if let container, !restricts { try await store.unrestrict(container: container) }
            return try await store.restrictedContainers()
        }
        console.result(
            restricted.isEmpty
                ? "no container is restricted" : "restricted: " + restricted.joined(separator: ", ")
        )
        console.event(
            Event("restricted", [.init("containers", .list(restricted.map { .text($0) }))]))
        return .done
    }
}
