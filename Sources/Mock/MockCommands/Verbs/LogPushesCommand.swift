import CloudCommandLine
import CommandLine

/// Shows the pushes that a mock server has for its devices.
struct LogPushesCommand: AdministrationCommand {
    private static let user = Option(
        "user", value: .known("NAME", .user), "only this user's devices")
    private static let container = Option(
        "container", value: .known("ID", .container), "only devices of this container")
    private static let after = Option(
        "after", value: .number(0...1_000_000_000), "only after this push number")

    static let verb = Verb(
        "log pushes", "list the pushes that a mock server has for its devices",
        discussion: [
            "A device gets pushes after it has called tokens/create or tokens/register, for the "
                + "subscriptions of its user, but not for its own writes. A push is delivered once, "
                + "to the client that waits at the token's webcourierURL; the last hundred of each "
                + "device are listed, delivered or not."
        ],
        options: [user, container, after] + AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock log pushes --user ann", "pushes to Ann's devices")])
    let arguments: Arguments

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        let log = try await server.pushes(query)
        guard log.hasDevices else {
            console.note("No device gets pushes.")
            return .done
        }
        console.table(PushLog.Push.columns, log.pushes.map(\.cells))
        for push in log.pushes { console.event(push.event) }
        if log.lost > 0 {
            console.note(
                "\(TextTable.grouped(log.lost)) pushes were dropped: too many were pending.")
        }
        return .done
    }

    private var query: String {
        [Self.user, Self.container, Self.after].compactMap { option in
            arguments.text(option).map { "\(option.name)=\(AdminClient.escaped($0))" }
        }.joined(separator: "&")
    }
}
