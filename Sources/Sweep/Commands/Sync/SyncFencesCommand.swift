import CommandLine
import Journal
import SyncEngine

/// Lists the fences around erased zones.
struct SyncFencesCommand: Command {
    static let verb = Verb(
        "sync fences", "list the zones that a sweep deleted and that must stay empty",
        options: SyncOptions.common,
        examples: [.init("cksweep sync fences", "which zones are blocked from returning?")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let session = try SyncSession.open(arguments, in: environment)
        let fences = try await session.use { syncer throws(SyncActFailure) in
            try await syncer.fences()
        }
        guard !fences.isEmpty else {
            session.console.note("No zone is fenced.")
            return .done
        }
        var table = TextTable()
        table.add(
            ["container", "database", "zone", "since", "run"].map { TextTable.Cell($0, .faint) })
        for fence in fences {
            table.add([
                .init(fence.container.rawValue), .init(fence.scope.rawValue),
                .init(fence.zone?.zoneName ?? "(forgotten)"), .init(fence.at.iso8601),
                .init(fence.run),
            ])
            session.console.event(
                Event(
                    "fence",
                    SyncEvents.place(fence.address) + [
                        .init("zone", fence.zone?.zoneName),
                        .init("owner", fence.zone?.ownerRecordName),
                        .init("since", fence.at.iso8601), .init("run", fence.run),
                    ]))
        }
        session.console.result(table.lines(session.console.style).joined(separator: "\n"))
        return .done
    }
}
