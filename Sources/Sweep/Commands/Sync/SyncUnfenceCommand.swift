import Basics
import CloudCommandLine
import CloudModel
import CommandLine
import Journal
import SyncEngine

/// Lets data into an erased zone again.
struct SyncUnfenceCommand: Command {
    static let verb = Verb(
        "sync unfence", "remove the fence of a deleted zone: it may contain data again",
        discussion: [
            "After a sweep, nothing is sent to a zone that it deleted, and nothing received "
                + "from it is stored. When the user starts over, this removes the fence. Nothing "
                + "else does."
        ],
        positionals: [
            Positional(.known("ZONE", .zone), .one, "the zone's name, as \"sync fences\" lists it")
        ],
        options: [SyncOptions.container, SyncOptions.database, SyncOptions.owner]
            + SyncOptions.common,
        examples: [
            .init(
                "cksweep sync unfence Notes --container iCloud.com.example.myexampleapp",
                "the user uses the app again")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let session = try SyncSession.open(arguments, in: environment)
        let name = arguments.positionals[0]
        var wanted: Container.ID?
        if let text = arguments.text(SyncOptions.container) {
            do throws(CommandFailure) {
                wanted = try session.container(text)
            } catch {
                await session.donations.flushAndClose()
                throw error
            }
        }
        let (container, found) = try await session.use { syncer throws(SyncActFailure) in
            let all = try await syncer.fences().filter { isMeant($0, wanted) }
            let fences = all.filter { $0.zone?.zoneName == name }
            guard Set(fences.map(\.container)).count == 1, let fence = fences.first else {
                return (nil as Container.ID?, all)
            }
            for fence in fences {
                guard let zone = fence.zone else { continue }
                _ = try await syncer.unfence(zone, at: fence.address)
            }
            return (fence.container, fences)
        }
        guard let container else { throw notFound(name, found, session) }
        session.console.event(
            Event(
                "unfenced",
                [
                    .init("container", container.rawValue), .init("zone", name),
                    .init("fences", found.count),
                ]))
        session.console.result(["REMOVED: the fence of \(name) in \(container)"])
        return .done
    }

    private func isMeant(_ fence: FenceRow, _ container: Container.ID?) -> Bool {
        let scope = arguments.text(SyncOptions.database) ?? Database.Scope.private.rawValue
        guard fence.scope.rawValue == scope, container == nil || fence.container == container else {
            return false
        }
        return arguments.text(SyncOptions.owner).map { $0 == fence.zone?.ownerRecordName } ?? true
    }

    private func notFound(
        _ name: String, _ fences: [FenceRow], _ session: SyncSession
    ) -> CommandFailure {
        let others = Set(fences.filter { $0.zone?.zoneName == name }.map(\.container.rawValue))
        if others.count > 1 {
            return CommandFailure(
                .usage, "the zone \(name) is fenced in \(others.count) containers",
                remedy: "name one: --container " + others.sorted().joined(separator: ", "))
        }
        return CommandFailure(
            .usage,
            "the zone \"\(name)\" has no fence"
                + NearestName.hint(for: name, among: fences.compactMap(\.zone?.zoneName)),
            remedy: "\"cksweep sync fences\" lists them")
    }
}
