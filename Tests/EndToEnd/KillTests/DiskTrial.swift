import AsyncOperations
import CloudModel
import Foundation
import JSON
import Testing

/// A mock server that is written to, seeded, emptied and copied at once, until its disk fails: what
/// it acknowledged is there afterwards, what it refused is not, and it says what has happened.
enum DiskTrial {
    /// What the server said of the zones that were asked for.
    private struct Said {
        var acknowledged: Set<String> = []
        var refused: Set<String> = []
    }

    /// - Returns: how many commits failed.
    static func play(_ disk: FailingDisk, _ name: Comment) async throws -> Int {
        let folder = try Folder()
        defer { folder.remove() }
        let store = folder.url.appendingPathComponent("store").path
        let users = ["ada", "bob"]
        let server = try ServerProcess(
            folder: folder.url, store: store, users: users, disk: disk)
        let database = try server.database(ServerKillTests.address, user: "ada")
        // Some answers come after the turn that they are about.
        _ = try await server.admin(
            .put, "faults", #"["30% zones/modify -> delay 10ms"]"#)
        try disk.arm(folder.url)
        let said = Locked(Said())
        let isFull = Locked(false)
        await withTaskGroup { group in
            group.addTask { await Self.disturb(server, isFull) }
            for writer in 0..<6 {
                group.addTask {
                    for number in 0..<400 where !isFull.withLock({ $0 }) {
                        await Self.create("w\(writer)n\(number)", database, said, isFull)
                    }
                    isFull.withLock { $0 = true }
                }
            }
        }
        let (acknowledged, refused) = said.withLock { ($0.acknowledged, $0.refused) }
        let health = try await server.admin(.get, "health").root
        let failures = Int(try #require(health["commitFailures"]?.int64, name))
        if !refused.isEmpty {
            #expect(failures > 0, name)
            // A disk with room again is written to again.
            if !disk.isPassing { #expect(health["status"]?.string == "failing", name) }
        }
        server.kill()
        try disk.cutPower(folder.url, store)
        let names = try await Self.names(folder, store, users)
        #expect(acknowledged.subtracting(names) == [], "\(name): acknowledged, and not there")
        #expect(refused.intersection(names) == [], "\(name): refused, and there")
        return failures
    }

    private static func create(
        _ zone: String, _ database: some CloudDatabase, _ said: Locked<Said>,
        _ isFull: Locked<Bool>
    ) async {
        do throws(CloudError) {
            let items = try await database.modifyZones([.create(RecordZone.ID(zone))])
            guard case .zone = items.first else { return }
            said.withLock { _ = $0.acknowledged.insert(zone) }
        } catch {
            // Of what was not answered nobody knows.
            guard error.code == .internalError else { return }
            said.withLock { _ = $0.refused.insert(zone) }
            isFull.withLock { $0 = true }
        }
    }

    /// Seeds, keeps and puts back what another person has, until the disk is full.
    private static func disturb(_ server: ServerProcess, _ isFull: Locked<Bool>) async {
        var number = 0
        while !isFull.withLock({ $0 }), number < 30 {
            number += 1
            do {
                _ = try await server.admin(
                    .post, "seed",
                    #"{"profile":"wide","users":["bob"],"containers":["iCloud.com.example.kill"],"#
                        + #""zones":\#(number * 40),"records":2}"#)
                _ = try await server.admin(.post, "reset", #"{"user":"bob"}"#)
                _ = try await server.admin(.post, "simulate", #"{"event":"snapshot","name":"s"}"#)
            } catch {
                isFull.withLock { $0 = true }
            }
        }
    }

    /// The zones that are there once the disk has room again.
    private static func names(
        _ folder: Folder, _ store: String, _ users: [String]
    ) async throws -> Set<String> {
        let server = try ServerProcess(folder: folder.url, store: store, users: users)
        defer { server.kill() }
        let database = try server.database(ServerKillTests.address, user: "ada")
        var page = try await database.zones()
        var names = Set(page.zones.map(\.id.zoneName))
        while page.moreComing {
            page = try await database.zones(after: page.token)
            names.formUnion(page.zones.map(\.id.zoneName))
        }
        return names
    }
}
