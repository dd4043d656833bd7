import CommandLine
import MockFaults

/// Shows, adds or clears the faults of a running mock server.
struct FaultsCommand: AdministrationCommand {
    private static let clear = Option("clear", "remove all faults first")
    private static let remove = Option(
        "remove", value: .text("ID"), repeats: true, "remove this fault")

    static let verb = Verb(
        "faults", "show, add or clear faults of a running mock server",
        discussion: [
            "A rule reads like a sentence: \"3rd modify in zone Notes* -> CONFLICT on 2 items\", "
                + "\"10% of changes -> empty page\", or \"busy: every query by user ann -> THROTTLED "
                + "retry 30s 3 times\". Without rules and options, lists the faults and how often "
                + "each fired.",
            "Before the arrow are [NAME:] [every|next|3rd|every 2nd|10%] OPERATION [in container "
                + "ID] [in private|shared|public] [in zone Z] [with type T] [with record R] [with "
                + "create|update|delete] [by user U] [by device D] [once|always|N times] [after "
                + "TIME] [until TIME|reset].",
            "OPERATION is modify, query, lookup, changes, upload or download, a path such as "
                + "zones/modify, a group such as records/*, or any, reads or writes. ACTION is an "
                + "error code such as THROTTLED [retry 1s], a code \"on 2 "
                + "items\", \"drop 2 items\", \"repeat 1 items\", \"delay 50ms..200ms\", \"status "
                + "502\", \"wrong content\", \"cut before commit\", \"cut after commit\", \"cut at "
                + "512\", \"stale zone list\", \"stale 30s\", \"empty page\", \"repeat page\", "
                + "\"expire token\", \"purge zone\", \"delete zone\", \"recreate zone with 3 "
                + "records\", \"throttle 10/s burst 20\", or \"hold g1\". Items are what a response "
                + "lists; of changes/zone they are its zones, and \"2 records\" are the records in "
                + "its pages.",
        ],
        positionals: [Positional(.text("RULE"), .any, "faults to add")],
        options: [clear, remove] + AdminClient.options + CommonOptions.output,
        examples: [
            .init(
                "cloudkit-mock faults \"2nd zones/modify -> THROTTLED retry 1s\"",
                "the second deletion of zones is throttled"),
            .init("cloudkit-mock faults --clear", "remove all faults"),
        ])
    let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        for text in arguments.positionals {
            do throws(FaultError) {
                _ = try FaultRule(id: "check", text: text)
            } catch {
                throw UsageError("the fault \"\(text)\" is refused: \(error)")
            }
        }
    }

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        if arguments.has(Self.clear) { try await server.removeFaults() }
        for id in arguments.texts(Self.remove) { try await server.removeFaults(id) }
        if !arguments.positionals.isEmpty { try await server.add(faults: arguments.positionals) }
        let faults = try await server.faults()
        for fault in faults { console.event(fault.event) }
        if faults.isEmpty {
            console.note("No faults.")
        } else {
            console.table(ActiveFault.columns, faults.map(\.cells))
        }
        return .done
    }
}
