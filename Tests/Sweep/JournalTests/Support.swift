import Basics
import CloudModel
import Foundation
import Journal
import Testing

/// A folder of its own for one test, gone with it.
final class Folder: Sendable {
    let path: String

    init() {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-\(UUID().uuidString)").path
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/journal.sqlite" }

    func journal(
        readOnly: Bool = false,
        isAlive: @escaping @Sendable (ProcessIdentity) -> Bool = { _ in true },
        hook: SQLiteJournal.CommitHook? = nil
    ) -> SQLiteJournal {
        SQLiteJournal(
            folder: path, readOnly: readOnly, isAlive: isAlive
        ) { [self] isBefore in
            // The folder stays while the journal does.
            try withExtendedLifetime(self) { try hook?(isBefore) }
        }
    }
}

/// A sort of journal that the contract is held against.
struct JournalKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens the journal that is kept in a folder, as a process of its own would.
    let open: @Sendable (Folder) -> any Journal

    static let all = [JournalKind(testDescription: "SQLite") { $0.journal() }]
}

func start(
    _ id: String, containers: [String] = ["iCloud.com.example.app"], began: Int64 = 1
) throws -> RunStart {
    RunStart(
        id: id, verb: "sweep", environment: .development,
        containers: try containers.map { try containerID($0) },
        server: "https://api.apple-cloudkit.com", isRehearsal: false,
        began: Timestamp(milliseconds: began), allowPartial: nil)
}

extension Journal {
    func forget(run: Int64, report: [UInt8]?) async throws(JournalError) {
        try await forget([(run, report)])
    }
}

struct BadIdentifier: Error {}

func containerID(_ text: String = "iCloud.com.example.app") throws -> Container.ID {
    guard let id = Container.ID(text) else { throw BadIdentifier() }
    return id
}

func address(
    _ scope: Database.Scope = .private, in container: String = "iCloud.com.example.app"
) throws -> Database.Address {
    Database.Address(
        container: try containerID(container), environment: .development, scope: scope)
}

func holder(_ run: String, pid: Int32) -> LockHolder {
    LockHolder(
        run: run,
        process: ProcessIdentity(host: "here", boot: "b", pid: pid, startTicks: 7),
        since: Timestamp(milliseconds: 5))
}

func planLine(
    _ number: Int, scope: Database.Scope = .private, items: Int = 3
) -> PlanLineRow {
    PlanLineRow(
        number: number, line: Array("{\"step\":\(number)}".utf8),
        step: PlanLineRow.Step(container: 0, scope: scope, kind: .zone, items: items))
}

/// A row of the person's private database.
func row(
    _ kind: ItemKind, zone: String = "", type: String = "", name: String = "", kept: Bool = false
) -> SeenRow {
    SeenRow(
        container: 0, scope: .private, kind: kind, zone: zone, type: type, name: name,
        isKept: kept)
}

/// An outcome that a step can have in a state.
func outcome(for state: StepState, of count: Int = 3) -> StepOutcome {
    let item: ItemOutcome =
        switch state {
        case .planned, .intended: .pending
        case .acknowledged, .verified: .deleted
        case .partlyFailed, .failed: .failed
        case .deferred: .deferred
        }
    return StepOutcome(attempts: 1, items: [ItemOutcome](repeating: item, count: count))
}
