import CloudModel
import Configuration
import DeletionPlanning
import MockStore
import SweepEngine
import Testing

/// Names that the framework accepts, and that no documentation promises: apps have stored them.
struct NameTests {
    private static let names = [
        "café-🫖", "the\u{301}-🫖", String(repeating: "é", count: 250),
        String(repeating: "a", count: 255),
    ]

    @Test(arguments: ["_defaultZone", "Notizen für später", "Behalten"])
    func `names that are not ASCII, and of 255 UTF-16 units, are listed, deleted and verified`(
        zone: String
    ) async throws {
        var options = MockOptions()
        options.asciiNames = false
        let bench = try Bench(options)
        let id = try container("one")
        let policy = Policy(protect: [
            ProtectRule(zone: "Behalten", recordType: "Kept", reason: "tax law")
        ])
        let isKept = zone == "Behalten"
        try bench.cloud.withStore { store in
            try store.seed(zones: [zone], at: address(id), user: "ada") { _ in
                Self.names.map { SeedRecord($0, type: "Note") }
                    + (isKept ? [SeedRecord("kept", type: "Kept")] : [])
            }
        }
        let wanted = request([id], policy: policy)
        let databases = bench.databases()
        let plan = await Sweep(wanted, in: bench.world()).plan {
            ReadOnlyDatabase(databases($0))
        }
        #expect(plan.status == .somethingToDelete, "\(plan.explanation)")
        let file = bench.folder + "/the.plan"
        try await Sweep(wanted, in: bench.world()).exportPlan(
            run: try #require(plan.runID), to: file)
        let report = await Sweep(wanted, in: bench.world()).apply(
            planFile: file, on: databases, confirm: approve)
        #expect(report.status == .done, "\(report.explanation)")
        let kind: CoverageRow.Kind =
            zone == "_defaultZone" ? .defaultZone : isKept ? .zoneRecords : .customZones
        #expect(
            report.rows.first { $0.kind == kind }?.deleted
                == (kind == .customZones ? 1 : Self.names.count))
        #expect(try bench.left() == (isKept ? 2 : 0))
    }

    /// The framework holds them for two names, as it compares UTF-16; here a text is one in any spelling.
    @Test func `S2 two spellings of one name are not swept in part`() async throws {
        var options = MockOptions()
        options.asciiNames = false
        let bench = try Bench(options)
        let id = try container("one")
        try bench.cloud.withStore { store in
            for name in ["caf\u{e9}", "cafe\u{301}"] {
                try store.seed(zones: ["_defaultZone"], at: address(id), user: "ada") { _ in
                    [SeedRecord(name, type: "Note")]
                }
            }
        }
        let tape = Tape()
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test func `a name that no framework accepts discredits the page it is on`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], records: 1)
        for name in ["", String(repeating: "é", count: 256)] {
            let tape = Tape { _, entry in
                guard case .read(.queryRecords) = entry.command else { return nil }
                return .answer { reply in
                    guard case .recordPage(var page) = reply else { return reply }
                    page.records = page.records.map { item in
                        guard case .record(let record) = item else { return item }
                        return .record(
                            Record(
                                id: Record.ID(name, zoneID: record.id.zoneID),
                                recordType: record.recordType,
                                recordChangeTag: record.recordChangeTag, created: record.created,
                                modified: record.modified))
                    }
                    return .recordPage(page)
                }
            }
            let report = await Sweep(request([id]), in: bench.world()).plan(
                on: bench.readable(tape))
            #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        }
    }
}
