import Basics
import CloudModel
import Configuration
import DeletionPlanning
import Foundation
import MockStore
import SweepEngine
import Testing

/// S2: what cannot be read stops everything.
struct FailClosedTests {
    /// Everything an inventory asks, in all databases of a container.
    private func bench() throws -> (Bench, SweepRequest) {
        var options = MockOptions()
        options.zoneListPageMax = 2
        options.recordsPageMax = 2
        let bench = try Bench(options)
        let ids = [try container("one")]
        for id in ids {
            try bench.seed(id, ["a", "b", "c", "_defaultZone"], records: 3)
            try bench.seed(id, ["c"], records: 1, type: "Receipt")
            try bench.seed(id, ["_defaultZone"], records: 3, scope: .public)
        }
        var wanted = request(ids, types: ["Note", "Other"], scopes: [.private, .shared, .public])
        wanted.policy.protect = [ProtectRule(recordType: "Receipt", reason: "test")]
        wanted.targets[0].zones = ["a"]
        wanted.limits.attemptsMax = 2
        return (bench, wanted)
    }

    /// The key of a request: what it is, where, and from which page on.
    private static func key(_ entry: Tape.Entry) -> String {
        "\(entry.address) \(entry.command)"
    }

    @Test func `S2 one request of the inventory that is never answered, and nothing is deleted`()
        async throws
    {
        let (whole, wanted) = try bench()
        let all = Tape()
        let plan = await Sweep(wanted, in: whole.world()).plan(on: whole.readable(all))
        #expect(plan.status == .somethingToDelete, "\(plan.explanation)")
        let keys = Set(all.all.map(Self.key))
        #expect(keys.count > 15)
        for key in keys.sorted() {
            let (bench, wanted) = try bench()
            let tape = Tape { _, entry in
                guard Self.key(entry) == key else { return nil }
                return .refuse(CloudError(.internalError, reason: "out of order"))
            }
            let report = await bench.sweep(wanted, tape)
            #expect(report.status == .discoveryIncomplete, "\(key): \(report.explanation)")
            #expect(tape.modifying.isEmpty, "\(key)")
            #expect(report.rows.contains { $0.outcome == .notLookedAt && $0.code != nil })
        }
    }

    /// Whether a request is for a page after the first of its listing.
    private static func isLaterPage(_ command: CloudCommand) -> Bool {
        switch command {
        case .read(.queryRecords(let request)): request.continuationMarker != nil
        case .read(.zoneChanges(let requests)): requests.contains { $0.token != nil }
        case .read(.listZones(let token)), .read(.databaseChanges(let token, _)): token != nil
        default: false
        }
    }

    /// Of the first page each of these codes can say that there is nothing to list, or no index to list it with.
    @Test(arguments: [CloudError.Code.badRequest, .notFound, .zoneNotFound])
    func `S2 one later page that is always refused, and nothing of the first is deleted`(
        code: CloudError.Code
    ) async throws {
        let (whole, wanted) = try bench()
        let all = Tape()
        _ = await Sweep(wanted, in: whole.world()).plan(on: whole.readable(all))
        let keys = Set(all.all.filter { Self.isLaterPage($0.command) }.map(Self.key))
        for kind in ["queryRecords", "zoneChanges", "listZones"] {
            #expect(keys.contains { $0.contains(kind) }, "\(kind)")
        }
        for key in keys.sorted() {
            let (bench, wanted) = try bench()
            let tape = Tape { _, entry in
                Self.key(entry) == key ? .refuse(CloudError(code, reason: "no")) : nil
            }
            let report = await bench.sweep(wanted, tape)
            #expect(report.status == .discoveryIncomplete, "\(key): \(report.explanation)")
            #expect(tape.modifying.isEmpty, "\(key)")
            #expect(
                report.explanation.contains("a later page cannot be read: \(code.rawValue): no"))
        }
    }

    @Test(arguments: CloudError.Code.allCases)
    func `S2 no error code of a listing lets a sweep delete`(code: CloudError.Code) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let tape = Tape { _, entry in
            guard case .read(.listZones) = entry.command else { return nil }
            return .refuse(CloudError(code))
        }
        var wanted = request([id])
        wanted.limits.maxDuration = .seconds(100_000)
        let report = await bench.sweep(wanted, tape)
        #expect(tape.modifying.isEmpty)
        let expected: Basics.ExitStatus =
            switch code {
            case .authenticationFailed, .authenticationRequired: .notSignedIn
            default: .discoveryIncomplete
            }
        #expect(report.status == expected, "\(report.explanation)")
    }

    /// Deleted zones are told of as deleted: an error says nothing, whatever its code.
    @Test(arguments: [CloudError.Code.accessDenied, .zoneNotFound, .notFound])
    func `S2 a zone item that is refused is no zone list`(code: CloudError.Code) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let tape = Tape { _, entry in
            guard case .read(.databaseChanges) = entry.command else { return nil }
            return .answer { reply in
                guard case .zonePage(var page) = reply else { return reply }
                page.zones.append(.failure(RecordZone.ID("b"), CloudError(code)))
                return .zonePage(page)
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .discoveryIncomplete)
        #expect(report.rows.first { $0.kind == .customZones }?.outcome == .notLookedAt)
        #expect(tape.modifying.isEmpty)
    }

    @Test(arguments: [["t"], ["t", "u"], ["t", "u", "v"]])
    func `S2 a listing that goes round in circles is given up`(tokens: [String]) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let tape = Tape { number, entry in
            guard case .read(.listZones) = entry.command else { return nil }
            let token = ChangeToken(tokens[number % tokens.count])
            return .replace(.zonePage(ZonePage(zones: [], token: token, moreComing: true)))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .discoveryIncomplete)
        #expect(tape.all.count < 50)
        #expect(tape.modifying.isEmpty)
    }

    @Test func `S2 an endless listing is given up at the most pages allowed`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let tape = Tape { number, entry in
            guard case .read(.listZones) = entry.command else { return nil }
            return .replace(
                .zonePage(ZonePage(zones: [], token: ChangeToken("\(number)"), moreComing: true)))
        }
        var wanted = request([id])
        wanted.limits.pagesMax = 20
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .discoveryIncomplete)
        #expect(tape.all.count < 40)
    }

    @Test func `many empty pages with more coming are neither a circle nor the end`() async throws {
        var options = MockOptions()
        options.emptyPages = 70
        let bench = try Bench(options)
        let id = try container("one")
        try bench.seed(id, ["a", "b", "_defaultZone"])
        let report = await bench.sweep(request([id]))
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test func `S8 empty pages without an end are given up`() async throws {
        let bench = try Bench()
        let tape = Tape { number, entry in
            guard case .read(.listZones) = entry.command else { return nil }
            return .replace(
                .zonePage(
                    ZonePage(
                        zones: [], token: ChangeToken("\(number)"), moreComing: number < 3000)))
        }
        let report = await bench.sweep(request([try container("one")]), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(tape.all.count < 1100)
    }

    @Test func `S2 every page of a list is read`() async throws {
        var options = MockOptions()
        options.zoneListPageMax = 1
        options.zoneChangesPageMax = 1
        options.recordsPageMax = 1
        let bench = try Bench(options)
        let id = try container("one")
        try bench.seed(id, ["a", "b", "c", "d", "_defaultZone"], records: 5)
        let report = await bench.sweep(request([id]))
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.tally.deleted == 9)
        #expect(try bench.left() == 0)
    }

    @Test func `S2 a place that was read in part was not looked at`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"])
        let tape = Tape { _, entry in
            guard case .read(.queryRecords(let query)) = entry.command,
                query.query.recordType == "Other"
            else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let report = await Sweep(request([id], types: ["Note", "Other"]), in: bench.world())
            .plan(on: bench.readable(tape))
        let rows = report.rows.filter { $0.kind == .defaultZone }
        #expect(Set(rows.map(\.subject)) == [nil, "Other"])
        #expect(rows.allSatisfy { $0.outcome == .notLookedAt }, "\(rows)")
    }

    @Test func `S2 partial is allowed with a reason, and caps the result`() async throws {
        let bench = try Bench()
        let (one, two) = (try container("one"), try container("two"))
        try bench.seed(one, ["a"])
        try bench.seed(two, ["b"])
        let tape = Tape { _, entry in
            guard entry.address.container == two else { return nil }
            return .refuse(CloudError(.badRequest, reason: "very private"))
        }
        var wanted = request([one, two])
        wanted.allowPartial = "the second container is shut down"
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.allowPartial == "the second container is shut down")
        #expect(try bench.left() == 4)
        #expect(tape.modifying.allSatisfy { $0.address.container == one })
        #expect(report.rows.contains { $0.container == two && $0.outcome == .notLookedAt })
        // S11: a server's words could name something.
        let path = try #require(report.evidencePath)
        #expect(!(try String(contentsOfFile: path, encoding: .utf8)).contains("very private"))
    }

    @Test func `S2 a run that was allowed to be partial proves nothing, though all was read`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        var wanted = request([id])
        wanted.allowPartial = "one container may be shut down"
        let report = await bench.sweep(wanted)
        #expect(report.passes.suffix(2).allSatisfy { $0.isClean })
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(String(decoding: report.json(), as: UTF8.self).contains("\"complete\":false"))
    }

    @Test func `a type without an index is asked for in other ways, then named`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"])
        let noIndex = { (allowed: Int) in
            Tape { _, entry in
                guard case .read(.queryRecords(let query)) = entry.command else { return nil }
                let way =
                    switch query.query.filters.first?.key {
                    case nil: 0
                    case .system(.createdUserRecordName): 1
                    default: 2
                    }
                return way == allowed ? nil : .refuse(CloudError(.badRequest))
            }
        }
        let blocked = await bench.sweep(request([id]), noIndex(9))
        #expect(blocked.status == .partlyFailed, "\(blocked.explanation)")
        let row = blocked.rows.first { $0.subject == "Note" }
        #expect(row?.reason?.contains("recordName queryable") == true)
        // Of the place as a whole it is not said that it was looked at and empty.
        let whole = blocked.rows.first { $0.kind == .defaultZone && $0.subject == nil }
        #expect(whole?.outcome == .unproven)
        #expect(try bench.left() == 3)
        for way in [1, 2] {
            let bench = try Bench()
            try bench.seed(id, ["_defaultZone"])
            let report = await bench.sweep(request([id]), noIndex(way))
            #expect(report.status == .done, "\(way): \(report.explanation)")
            #expect(try bench.left() == 0)
        }
    }

    /// As Core Data and SwiftData store: a zone of their own, and types that no index lists.
    @Test
    func `a type without an index is out of scope where the list says that custom zones are all`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["com.apple.coredata.cloudkit.zone"], type: "CD_Plant")
        try bench.seed(id, ["_defaultZone"], type: "Note")
        let tape = Tape { _, entry in
            guard case .read(.queryRecords(let query)) = entry.command,
                query.query.recordType == "CD_Plant"
            else { return nil }
            return .refuse(CloudError(.badRequest))
        }
        var wanted = request([id], types: ["CD_Plant", "Note"])
        let without = await Sweep(wanted, in: bench.world()).plan(on: bench.readable(tape))
        #expect(without.status == .discoveryIncomplete)
        #expect(without.explanation.contains("\"customZonesOnly\": true"), "\(without.explanation)")
        wanted.targets[0].customZonesOnly = true
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.rows.first { $0.subject == "CD_Plant" }?.outcome == .notInScope)
        // What can be listed is scanned and deleted all the same.
        #expect(report.rows.first { $0.kind == .defaultZone && $0.subject == nil }?.deleted == 3)
        #expect(try bench.left() == 0)
    }

    @Test func `the list's word for custom zones does not count in public`() async throws {
        let bench = try Bench()
        let id = try container("one")
        var wanted = request([id], scopes: [.public])
        wanted.targets[0].customZonesOnly = true
        let tape = Tape { _, entry in
            guard case .read(.queryRecords) = entry.command else { return nil }
            return .refuse(CloudError(.badRequest))
        }
        let plan = await Sweep(wanted, in: bench.world()).plan(on: bench.readable(tape))
        #expect(plan.status == .discoveryIncomplete, "\(plan.explanation)")
        #expect(!plan.explanation.contains("customZonesOnly"))
    }

    @Test(arguments: [true, false])
    func
        `public records without an index on their creator are listed, and the person's are deleted`(
            tellsCreator: Bool
        ) async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], scope: .public)
        try bench.cloud.withStore { store in
            try store.seed(zones: ["_defaultZone"], at: address(id, .public), user: "eve") { _ in
                (0..<5).map { SeedRecord("eve-\($0)", type: "Note") }
            }
        }
        let tape = Tape { _, entry in
            guard case .read(.queryRecords(let query)) = entry.command else { return nil }
            guard query.query.filters.isEmpty else { return .refuse(CloudError(.badRequest)) }
            guard !tellsCreator else { return nil }
            return .answer { reply in
                guard case .recordPage(var page) = reply else { return reply }
                page.records = page.records.map { item in
                    guard case .record(var record) = item else { return item }
                    record.created = Record.Stamp(
                        timestamp: record.created.timestamp, userRecordName: "", deviceID: "")
                    return .record(record)
                }
                return .recordPage(page)
            }
        }
        let report = await bench.sweep(request([id], scopes: [.public]), tape)
        guard tellsCreator else {
            #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
            #expect(report.explanation.contains("has no creator"))
            #expect(tape.modifying.isEmpty)
            return
        }
        #expect(report.status == .done, "\(report.explanation)")
        let row = report.rows.first { $0.kind == .publicRecords && $0.subject == nil }
        #expect(row?.deleted == 3, "\(report.rows)")
        for entry in tape.modifying { #expect(!"\(entry.command)".contains("eve")) }
    }

    @Test(arguments: [CloudError.Code.accessDenied, .authenticationFailed])
    func `a container that turns the user away ends with 7`(code: CloudError.Code) async throws {
        let bench = try Bench()
        let id = try container("one")
        let tape = Tape { _, entry in
            entry.command == .read(.caller) ? .refuse(CloudError(code)) : nil
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .notSignedIn)
        #expect(tape.modifying.isEmpty)
    }

    /// S13: their client has no modifying half; what they send is looked at as well.
    @Test func `S13 plan and verify send nothing that changes anything`() async throws {
        let (bench, wanted) = try bench()
        let tape = Tape()
        let before = try bench.dump(user: "ada")
        _ = await Sweep(wanted, in: bench.world()).plan(on: bench.readable(tape))
        let verified = await Sweep(wanted, in: bench.world()).verify(
            run: nil, on: bench.readable(tape))
        #expect(verified.status == .dataLeft, "\(verified.explanation)")
        #expect(tape.modifying.isEmpty)
        #expect(tape.all.count > 40)
        #expect(try bench.dump(user: "ada") == before)
    }
}
