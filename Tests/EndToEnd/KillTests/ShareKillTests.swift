import AsyncOperations
import Basics
import CloudClient
import CloudModel
import Foundation
import RandomSeeds
import Testing

/// `kill -9` of a durable mock server while zones are shared, joined, written to and left: what it
/// acknowledged is there afterwards, for the owner and for guests alike, and nothing is half done.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ShareKillTests {
    private static let seed = Seeds.one("share kills")
    private static var rounds: Int { ServerKillTests.rounds / 2 + 1 }
    private static let people = [ShareState.owner] + ShareState.guests

    /// What one writer has done to its zone.
    private struct Zone {
        let name: String
        var state: ShareState
        /// What was asked for and not answered.
        var asked: ShareState.Step?
        /// By person.
        var followers: [String: ShareFollower] = [:]
    }

    @Test func `every acknowledged share change survives kill -9, and none is half done`()
        async throws
    {
        let folder = try Folder()
        defer { folder.remove() }
        let store = folder.url.appendingPathComponent("store").path
        var random = SeededGenerator(seed: Self.seed)
        var zones = (0..<4).map { Zone(name: "z\($0)", state: ShareState(isWhole: $0 == 0)) }
        var acknowledged = 0
        for round in 0..<Self.rounds {
            let server = try ServerProcess(folder: folder.url, store: store, users: Self.people)
            defer { server.kill() }
            let client = try await ShareClient { scope, person in
                try server.database(
                    Database.Address(
                        container: ServerKillTests.address.container, environment: .development,
                        scope: scope), user: person)
            }
            if round == 0 { try await prepare(zones, client) }
            try await check(&zones, client, "round \(round), seed \(Self.seed)")
            let (limit, count) = (Int(random.next() % 25) + 1, Locked(0))
            let work = zones.map { (zone: $0, seed: random.next()) }
            zones = await withTaskGroup { group in
                for (zone, seed) in work {
                    group.addTask {
                        await Self.write(zone, client, SeededGenerator(seed: seed)) {
                            let done = count.withLock { count in
                                count += 1
                                return count
                            }
                            if done == limit { server.killNow() }
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }.sorted { $0.name < $1.name }
            acknowledged += count.withLock { $0 }
        }
        // Nobody kills before something was acknowledged.
        #expect(acknowledged >= Self.rounds)
    }

    private func prepare(
        _ zones: [Zone], _ client: ShareClient<HTTPCloudDatabase>
    ) async throws {
        let ada = try client.database(of: ShareState.owner)
        _ = try await ada.modifyZones(zones.map { .create(RecordZone.ID($0.name)) })
        for zone in zones {
            let roots = ShareState.roots.map {
                RecordOperation(.create, recordName: $0, recordType: "Note")
            }
            let request = RecordModifyRequest(
                operations: roots, zoneID: RecordZone.ID(zone.name))
            _ = try await ada.modifyRecords(request)
        }
    }

    /// Does one thing after the other until the server is gone.
    private static func write(
        _ given: Zone, _ client: ShareClient<HTTPCloudDatabase>, _ random: SeededGenerator,
        acknowledged: @Sendable () -> Void
    ) async -> Zone {
        var (zone, random) = (given, random)
        for _ in 0..<1_000 {
            let step = zone.state.next(&random)
            zone.asked = step
            let state = zone.state
            do {
                let refusal = try await client.perform(step, zone.name) { state.root(of: $0) }
                if let refusal { Issue.record("seed \(seed): \(step) is refused: \(refusal)") }
            } catch {
                return zone
            }
            zone.state.apply(step)
            zone.asked = nil
            acknowledged()
        }
        return zone
    }

    // MARK: - After a restart

    /// Holds what everybody sees against what was acknowledged, with or without what was not answered.
    private func check(
        _ zones: inout [Zone], _ client: ShareClient<HTTPCloudDatabase>, _ place: String
    ) async throws {
        var listed: [String: Set<String>] = [:]
        for person in ShareState.guests { listed[person] = try await client.zones(of: person) }
        for index in zones.indices {
            var views: [String: ShareState.View] = [:]
            for person in Self.people {
                let view = try await look(&zones[index], person, client, place)
                views[person] = view
                guard person != ShareState.owner else { continue }
                #expect(
                    listed[person]?.contains(zones[index].name) == (view != nil),
                    "\(place): \(zones[index].name) in \(person)'s database")
            }
            var states = [zones[index].state]
            if let asked = zones[index].asked {
                states.append(zones[index].state)
                states[1].apply(asked)
            }
            let found = states.first { state in
                Self.people.allSatisfy { views[$0] == state.view(of: $0) }
            }
            if found == nil {
                let expected = states.map { state in
                    Self.people.map { "\($0): \(state.view(of: $0) ?? [:])" }
                }
                Issue.record("\(place), \(zones[index].name): \(views), not one of \(expected)")
            }
            zones[index].state = found ?? zones[index].state
            zones[index].asked = nil
        }
    }

    /// What somebody sees of a zone: the same from its feed's beginning, from where a device of theirs
    /// had been, and in a query.
    private func look(
        _ zone: inout Zone, _ person: String, _ client: ShareClient<HTTPCloudDatabase>,
        _ place: String
    ) async throws -> ShareState.View? {
        let database = try client.database(of: person)
        let zoneID = client.zone(zone.name, for: person)
        var (device, fresh) = (zone.followers[person] ?? ShareFollower(), ShareFollower())
        let isThere = try await fresh.follow(zoneID, in: database)
        #expect(try await device.follow(zoneID, in: database) == isThere)
        #expect(
            device.copy == fresh.copy, "\(place): what a device of \(person)'s has of \(zone.name)")
        zone.followers[person] = device
        guard isThere else { return nil }
        var query = RecordQueryRequest(
            query: Query(recordType: "Note"), zoneID: zoneID, limit: 50)
        var names: Set<String> = []
        repeat {
            let page = try await database.records(matching: query)
            names.formUnion(page.records.map(\.recordName))
            query.continuationMarker = page.continuationMarker
        } while query.continuationMarker != nil
        #expect(
            names == Set(fresh.copy.filter { $0.value.sharing == nil }.keys),
            "\(place): what \(person) finds in \(zone.name)")
        return fresh.view(client.guests)
    }
}
