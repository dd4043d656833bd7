import AsyncOperations
import Basics
import CloudModel
import Foundation
import Liar
import RandomSeeds
import SweepEngine
import Testing

/// An export before the liar: what says that it is whole holds every record that the person has.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ExportLiarTests {
    /// Lies that are told while it is looked and read, and of which there is another source.
    private static let rows = Table.rows.filter { row in
        guard row.verb == .sweep || row.verb == .plan, row.connectionLie == nil,
            row.excuse == nil, !row.isHonest, row.twist == nil
        else { return false }
        return row.lies.allSatisfy { lie in
            switch lie.moment {
            case .always, .once, .from, .during(.look), .onceDuring(.look):
                !Table.modifying.contains(lie.spot) && !Self.hasNoOtherSource(lie)
            case .during, .onceDuring, .fromDuring, .afterwards: false
            }
        }
    }

    /// A record that is in no page of its zone's feed, or of a query, is nowhere for an export; what
    /// deletes would meet it.
    private static func hasNoOtherSource(_ lie: Lie) -> Bool {
        let isOnlySource =
            lie.spot.isInner || lie.spot.operation == .zoneChanges
            || lie.spot.operation == .queryRecords
        return isOnlySource
            && (Table.hidingKinds + Kind.hidingPages).contains { $0.name == lie.kind.name }
    }

    @Test func `an honest export is whole`() async throws {
        let outcome = try await ExportBeforeLiar(Row(.plan, [])).outcome()
        #expect(outcome.status == .done, "\(outcome.explanation)")
        #expect(outcome.missing == [])
    }

    @Test func `no lie ends in an export that says it is whole and lacks something`() async throws {
        let rows = Extent.some(Self.rows, name: \.name)
        #expect(rows.count >= Seeds.count(25, long: 100, sanitized: 5))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, row) in rows.enumerated() {
                if number >= Trials.parallelMax { try await group.next() }
                group.addTask {
                    let outcome = try await ExportBeforeLiar(row).outcome()
                    let isWrong = outcome.status == .internalError || outcome.status == nil
                    #expect(!isWrong, "\(row.name): \(outcome.explanation)")
                    guard outcome.status == .done else { return }
                    #expect(outcome.missing == [], "\(row.name)")
                }
            }
            try await group.waitForAll()
        }
    }
}

/// One export while something is not so.
private struct ExportBeforeLiar: Sendable {
    struct Outcome: Sendable {
        var status: Basics.ExitStatus?
        var explanation: String
        /// What the person has and the export lacks.
        var missing: [String]
    }

    /// The people here have no assets.
    private struct NoAssets: AssetReading {
        func read(
            _ asset: Asset, _ take: @escaping @Sendable ([UInt8]) -> Bool
        ) async throws(CloudError) { throw CloudError(.unexpectedResponse) }
    }

    private let theatre: Theatre

    init(_ row: Row) throws { theatre = try Theatre(row) }

    func outcome() async throws -> Outcome {
        var world = theatre.world(tells: true)
        world.assets = NoAssets()
        let folder = theatre.folder + "-export"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sweep = Sweep(theatre.request, in: world)
        theatre.liar.arm()
        let report = await sweep.export(to: folder, on: theatre.readableDatabases())
        let missing =
            report.status == .done ? try held().subtracting(exported(folder)).sorted() : []
        _ = try theatre.close()
        return Outcome(
            status: report.status, explanation: report.explanation, missing: missing)
    }

    /// The records of the person in the swept containers: database, zone and name.
    private func held() throws -> Set<String> {
        let population = theatre.population
        let names = population.names[Population.person] ?? [:]
        return Set(
            try theatre.stayed().compactMap { line -> String? in
                let parts = line.components(separatedBy: " | ")
                guard parts.count == 4, parts[3].hasPrefix("record ") else { return nil }
                let database = String(parts[1].dropFirst("database ".count))
                let container = database.components(separatedBy: "/")[0]
                let words = parts[3].components(separatedBy: " ")
                guard population.swept.contains(container), words[2] != "Users" else { return nil }
                let isTheirs =
                    parts[0] == "public"
                    ? words[4] == names[container] : parts[0] == Population.person
                guard isTheirs else { return nil }
                return "\(database) \(parts[2].dropFirst("zone ".count)) \(words[1])"
            })
    }

    /// The same of an export.
    private func exported(_ folder: String) throws -> Set<String> {
        let url = URL(fileURLWithPath: folder)
        let manifest = try Self.object(
            Data(contentsOf: url.appendingPathComponent("manifest.json")))
        var lines: Set<String> = []
        for file in manifest["files"] as? [[String: Any]] ?? [] {
            guard let container = file["container"] as? String,
                let scope = file["database"] as? String, let path = file["path"] as? String
            else { continue }
            let name = (file["zone"] as? String).flatMap { $0.isEmpty ? nil : $0 }
            let zone = [name ?? "_defaultZone", file["owner"] as? String].compactMap(\.self)
                .joined(separator: "/")
            for line in try Data(contentsOf: url.appendingPathComponent(path)).split(separator: 10)
            {
                let record = try Self.object(line)["record"] as? [String: Any]
                guard let name = record?["recordName"] as? String else { continue }
                lines.insert(
                    "\(container)/\(Upstream.environment)/\(scope) \(zone) \(name)")
            }
        }
        return lines
    }

    private static func object(_ bytes: Data) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
    }
}
