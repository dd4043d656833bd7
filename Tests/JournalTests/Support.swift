import CloudModel
import Foundation
import Journal
import OpenSSL

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
        hook: Journal.CommitHook? = nil
    ) -> Journal {
        Journal(
            folder: path, readOnly: readOnly, hash: { SHA256.hash($0) }, isAlive: isAlive,
            hook: hook)
    }
}

func start(_ id: String) throws -> RunStart {
    RunStart(
        id: id, verb: "sweep", environment: .development, containers: [try containerID()],
        began: Timestamp(milliseconds: 1), allowPartial: nil)
}

struct BadIdentifier: Error {}

func containerID(_ text: String = "iCloud.com.example.app") throws -> Container.ID {
    guard let id = Container.ID(text) else { throw BadIdentifier() }
    return id
}

func holder(_ run: String, pid: Int32) -> LockHolder {
    LockHolder(
        run: run,
        process: ProcessIdentity(host: "here", boot: "b", pid: pid, startTicks: 7),
        since: Timestamp(milliseconds: 5))
}

func planLine(_ number: Int, scope: Int = 0) -> PlanLineRow {
    PlanLineRow(
        number: number, line: Array("{\"step\":\(number)}".utf8),
        step: PlanLineRow.Step(container: 0, scope: scope, kind: 0, items: 3))
}
