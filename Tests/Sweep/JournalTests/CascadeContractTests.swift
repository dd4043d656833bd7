import Basics
import CloudModel
import Foundation
import Journal
import RandomSeeds
import Testing

struct CascadeContractTests {
    /// Follows references by hand: what goes along, with its shortest distance.
    struct Model {
        struct Place: Hashable {
            let scope: Database.Scope
            let zone: String
            let name: String
        }
        var seen: [SeenRow] = []
        var links: [LinkRow] = []

        func cascade() -> [Place: Int] {
            let wholeZones = Set(
                seen.filter { $0.kind == .zone && !$0.isKept }.map { "\($0.scope) \($0.zone)" })
            var level = Set(
                seen.filter { $0.kind.isRecord && !$0.isKept }.map {
                    Place(scope: $0.scope, zone: $0.zone, name: $0.name)
                })
            var reached: [Place: Int] = [:]
            var distance = 0
            while !level.isEmpty {
                distance += 1
                var next: Set<Place> = []
                for link in links
                where level.contains(
                    Place(scope: link.scope, zone: link.zone, name: link.target))
                    && !wholeZones.contains("\(link.scope) \(link.zone)")
                {
                    let place = Place(scope: link.scope, zone: link.zone, name: link.name)
                    guard reached[place] == nil else { continue }
                    reached[place] = distance
                    next.insert(place)
                }
                level = next
            }
            return reached.filter { place, _ in
                links.contains { $0.isOthers && matches($0.scope, $0.zone, $0.name, place) }
                    || seen.contains {
                        $0.isKept && $0.kind.isRecord && matches($0.scope, $0.zone, $0.name, place)
                    }
            }
        }

        private func matches(
            _ scope: Database.Scope, _ zone: String, _ name: String, _ place: Place
        ) -> Bool {
            place == Place(scope: scope, zone: zone, name: name)
        }
    }

    private func link(
        _ name: String, to target: String, zone: String = "_defaultZone", others: Bool = false
    ) -> LinkRow {
        LinkRow(
            container: 0, scope: .private, zone: zone, name: name, type: "T", isOthers: others,
            target: target)
    }

    private func record(_ name: String, kept: Bool = false) -> SeenRow {
        row(.record, zone: "_defaultZone", type: "T", name: name, kept: kept)
    }

    @Test(arguments: JournalKind.all)
    func `what is kept goes along with what it refers to, and the chain is told`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(
            try start("one"),
            [
                .seen(
                    .fresh,
                    [
                        record("deleted"), record("kept", kept: true),
                        record("safe", kept: true), record("also deleted"),
                    ]),
                .links(
                    .fresh,
                    [
                        // kept -> another's -> another's -> deleted, and a longer way beside it
                        link("kept", to: "b"), link("b", to: "a", others: true),
                        link("a", to: "deleted", others: true), link("kept", to: "c"),
                        link("c", to: "b", others: true),
                        // a circle
                        link("a", to: "b", others: true), link("a", to: "a", others: true),
                        // deleted anyway
                        link("also deleted", to: "deleted"),
                        // refers to what stays
                        link("safe", to: "kept elsewhere"),
                    ]),
            ]
        ).key
        let found = try await journal.cascade(run: run, in: .fresh, limit: 99)
        #expect(found.rows.map(\.name) == ["a", "b", "c", "kept"])
        #expect(found.rows.map(\.isOthers) == [true, true, true, false])
        #expect(found.rows.map(\.isKept) == [false, false, false, true])
        #expect(found.rows[3].chain == ["b", "a", "deleted"])
        #expect(found.rows[3].via == "b" && found.rows[3].distance == 3)
        #expect(found.rows[0].chain == ["deleted"])
        #expect(found.counts.map { "\($0.isOthers) \($0.count)" } == ["false 1", "true 3"])
        let first = try await journal.cascade(run: run, in: .fresh, limit: 1)
        #expect(first.rows.map(\.name) == ["a"] && first.counts == found.counts)
        #expect(try await journal.cascade(run: run, in: .planned, limit: 9).counts.isEmpty)
    }

    @Test(arguments: JournalKind.all)
    func `references in a zone that goes as a whole are not looked at`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        for isKept in [false, true] {
            let run = try await journal.begin(
                try start("\(isKept)"),
                [
                    .seen(
                        .fresh,
                        [
                            row(.zone, zone: "Notes", kept: isKept),
                            row(.zoneRecord, zone: "Notes", type: "T", name: "deleted"),
                            row(.zoneRecord, zone: "Notes", type: "T", name: "k", kept: true),
                            // The same name in another zone is another record.
                            row(.zoneRecord, zone: "Other", type: "T", name: "k"),
                        ]), .links(.fresh, [link("k", to: "deleted", zone: "Notes")]),
                ]
            ).key
            let found = try await journal.cascade(run: run, in: .fresh, limit: 9)
            #expect(found.rows.map(\.name) == (isKept ? ["k"] : []))
        }
    }

    @Test(arguments: JournalKind.all)
    func `a chain of ten thousand references ends, and is told up to its bound`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let length = 10_000
        let links = (1...length).map { link("\($0)", to: "\($0 - 1)", others: true) }
        let run = try await journal.begin(
            try start("one"), [.seen(.fresh, [record("0")]), .links(.fresh, links)]
        ).key
        let found = try await journal.cascade(run: run, in: .fresh, limit: 9)
        #expect(found.counts.map(\.count) == [length])
        let last = try #require(found.rows.first { $0.name == "10000" })
        #expect(last.distance == length && last.chain.count == CascadeRow.chainMax)
        #expect(last.chain.last == "\(length - CascadeRow.chainMax)")
    }

    static let seeds = Seeds.range("cascades", 150, long: 1_500)

    @Test(arguments: JournalKind.all)
    func `random references go along as a plain search says`(kind: JournalKind) async throws {
        let journal = kind.open(Folder())
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            var model = Model()
            let zones = ["_defaultZone", "A", "B"]
            for zone in zones.dropFirst() where Bool.random(using: &random) {
                model.seen.append(row(.zone, zone: zone, kept: Bool.random(using: &random)))
            }
            let names = (0..<Int.random(in: 1...12, using: &random)).map(String.init)
            for zone in zones {
                for name in names {
                    let type = ["T", "U"].randomElement(using: &random)!
                    let isOthers = Int.random(in: 0..<4, using: &random) == 0
                    if !isOthers {
                        model.seen.append(
                            row(
                                zone == "_defaultZone" ? .record : .zoneRecord, zone: zone,
                                type: type, name: name, kept: Bool.random(using: &random)))
                    }
                    for target in names where Int.random(in: 0..<6, using: &random) == 0 {
                        model.links.append(
                            LinkRow(
                                container: 0, scope: .private, zone: zone, name: name,
                                type: type, isOthers: isOthers, target: target))
                    }
                }
            }
            let run = try await journal.begin(
                try start("\(seed)"),
                [.seen(.planned, model.seen), .links(.planned, model.links)]
            ).key
            let found = try await journal.cascade(run: run, in: .planned, limit: 999)
            let expected = model.cascade()
            let places = found.rows.map {
                (Model.Place(scope: $0.scope, zone: $0.zone, name: $0.name), $0.distance)
            }
            #expect(
                Dictionary(uniqueKeysWithValues: places) == expected, "CKSWEEP_SEED=\(seed)")
            #expect(
                found.counts.reduce(0) { $0 + $1.count } == expected.count,
                "CKSWEEP_SEED=\(seed)")
            for row in found.rows {
                let way = [row.name] + row.chain
                let holds = zip(way, way.dropFirst()).allSatisfy { name, target in
                    model.links.contains {
                        $0.zone == row.zone && $0.name == name && $0.target == target
                    }
                }
                #expect(holds && row.chain.count == row.distance, "CKSWEEP_SEED=\(seed)")
            }
        }
    }
}
