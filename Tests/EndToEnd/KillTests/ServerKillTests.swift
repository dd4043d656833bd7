import AsyncOperations
import Basics
import CloudModel
import Foundation
import RandomSeeds
import Testing

/// `kill -9` of a durable mock server under writers: what it acknowledged is there afterwards.
@Suite(.serialized)
struct ServerKillTests {
    static let address = Database.Address(
        container: Container.ID("iCloud.com.example.kill").unsafelyPresent,
        environment: .development, scope: .private)
    static let rounds = Seeds.count(20, long: 400, sanitized: 5)

    @Test func `every acknowledged write survives kill -9`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = folder.url.appendingPathComponent("store").path
        var random = SeededGenerator(seed: 11)
        var known = Ledger()
        for round in 0..<Self.rounds {
            let server = try ServerProcess(folder: folder.url, store: store, users: ["ada"])
            try await check(known, server, round)
            let log = Locked(known)
            let limit = Int(random.next() % 60) + 1
            let database = try server.database(Self.address, user: "ada")
            await withTaskGroup { group in
                for writer in 0..<8 {
                    group.addTask {
                        await Self.write(database, "r\(round)w\(writer)", log) { acknowledged in
                            if acknowledged >= limit { server.killNow() }
                        }
                    }
                }
            }
            server.kill()
            known = log.withLock { $0 }
        }
        #expect(known.acknowledged > Self.rounds)
    }

    /// What the server said it did.
    struct Ledger {
        var present: Set<String> = []
        var absent: Set<String> = []
        var acknowledged = 0
    }

    private func check(_ known: Ledger, _ server: ServerProcess, _ round: Int) async throws {
        let database = try server.database(Self.address, user: "ada")
        var names: Set<String> = []
        var page = try await database.zones()
        names.formUnion(page.zones.map(\.id.zoneName))
        while page.moreComing {
            page = try await database.zones(after: page.token)
            names.formUnion(page.zones.map(\.id.zoneName))
        }
        #expect(known.present.subtracting(names) == [], "round \(round): acknowledged, and gone")
        #expect(
            known.absent.intersection(names) == [], "round \(round): deleted, and there again")
    }

    /// Creates zones and deletes every other one until the server is gone.
    private static func write(
        _ database: some CloudDatabase, _ name: String, _ log: Locked<Ledger>,
        _ acknowledged: @Sendable (Int) -> Void
    ) async {
        for number in 0..<10_000 {
            let zone = "\(name)n\(number)"
            guard await succeeds(database, .create(RecordZone.ID(zone))) else { return }
            log.withLock { _ = $0.present.insert(zone) }
            if number % 2 == 1 {
                log.withLock { _ = $0.present.remove(zone) }
                guard await succeeds(database, .delete(RecordZone.ID(zone))) else { return }
                log.withLock { _ = $0.absent.insert(zone) }
            }
            acknowledged(
                log.withLock { ledger in
                    ledger.acknowledged += 1
                    return number
                })
        }
    }

    private static func succeeds(
        _ database: some CloudDatabase, _ operation: RecordZone.Operation
    ) async -> Bool {
        guard let items = try? await database.modifyZones([operation]), let item = items.first
        else { return false }
        if case .failure = item { return false }
        return true
    }
}

extension Optional {
    /// The value of a constant that is known to be there.
    var unsafelyPresent: Wrapped {
        guard let self else { preconditionFailure("a constant is missing") }
        return self
    }
}
