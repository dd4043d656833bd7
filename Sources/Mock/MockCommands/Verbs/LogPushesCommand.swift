import Basics
import CloudCommandLine
import CommandLine
import JSON

/// Shows the pushes that a mock server has for its devices.
struct LogPushesCommand: Command {
    private static let user = Option(
        "user", value: .known("NAME", .user), "only this user's devices")
    private static let container = Option(
        "container", value: .known("ID", .container), "only devices of this container")
    private static let after = Option(
        "after", value: .number(0...1_000_000_000), "only after this push number")

    static let verb = Verb(
        "pushes", "list the pushes that a mock server has for its devices",
        discussion: [
            "A device gets pushes after it has called tokens/create or tokens/register, for the "
                + "subscriptions of its user, but not for its own writes. A push is delivered once, "
                + "to the client that waits at the token's webcourierURL; the last hundred of each "
                + "device are listed, delivered or not."
        ],
        options: [user, container, after] + AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock pushes --user ann", "pushes to Ann's devices")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        let answer = try await admin.ask(.get, "pushes?" + query)
        let devices = answer["devices"].map { Array($0.elements) } ?? []
        guard !devices.isEmpty else {
            console.note("No device gets pushes.")
            return .done
        }
        var names: [String: String] = [:]
        for device in devices {
            let parts = [
                device["user"]?.string, device["device"]?.string ?? device["clientId"]?.string,
            ].compactMap { $0 }.filter { !$0.isEmpty }
            let token = device["token"]?.string ?? ""
            names[token] = parts.isEmpty ? String(token.prefix(8)) : parts.joined(separator: "/")
        }
        var table = TextTable()
        table.add(
            ["number", "time", "device", "container", "subscription", "about", "delivered"].map {
                .init($0, .faint)
            })
        for push in answer["pushes"].map({ Array($0.elements) }) ?? [] {
            let row = Row(push, names)
            table.add(row.cells)
            console.event(row.event)
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        let lost = Int(answer["lost"]?.int64 ?? 0)
        if lost > 0 {
            console.note("\(TextTable.grouped(lost)) pushes were dropped: too many were pending.")
        }
        return .done
    }

    private var query: String {
        [Self.user, Self.container, Self.after].compactMap { option in
            arguments.text(option).map { "\(option.name)=\(AdminClient.escaped($0))" }
        }.joined(separator: "&")
    }

    /// One push, as it is shown.
    private struct Row {
        let number: Int
        let time: String
        let device: String
        let container: String
        let subscription: String
        let about: String
        let isDelivered: Bool

        init(_ push: JSONValue, _ names: [String: String]) {
            number = Int(push["number"]?.int64 ?? 0)
            time = Timestamp(milliseconds: push["time"]?.int64 ?? 0).iso8601
            device = names[push["token"]?.string ?? ""] ?? ""
            let ck = push["payload"]?["ck"]
            container = ck?["cid"]?.string ?? ""
            let subject = ck?["qry"] ?? ck?["fet"] ?? ck?["met"]
            subscription = subject?["sid"]?.string ?? ""
            let reasons: [Int64: String] = [1: "created", 2: "updated", 3: "deleted"]
            about =
                [
                    subject?["zid"]?.string, subject?["rid"]?.string,
                    (subject?["fo"]?.int64).flatMap { reasons[$0] },
                ].compactMap { $0 }.joined(separator: " ")
            isDelivered = push["delivered"]?.bool ?? false
        }

        var cells: [TextTable.Cell] {
            [
                .number(number), .init(time), .init(device), .init(container),
                .init(subscription), .init(about.isEmpty ? "database" : about),
                .init(isDelivered ? "yes" : "no"),
            ]
        }

        var event: Event {
            Event(
                "push",
                [
                    .init("number", number), .init("at", time), .init("device", device),
                    .init("container", container), .init("subscription", subscription),
                    .init("about", about), .init("delivered", isDelivered),
                ])
        }
    }
}
