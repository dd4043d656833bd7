import CloudCourier
import CloudModel
import SweepEngine
import Testing

/// Names that the framework accepts, and that no documentation promises: apps have stored them.
struct NameTests {
    /// A database whose records have other names on this side than on that of the mock.
    private struct Renaming: CloudDatabase {
        let base: any CloudDatabase
        /// The mock's names, and ours.
        let names: [String: String]
        var address: Database.Address { base.address }

        func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
            let reply = try await base.perform(theirs(command))
            switch reply {
            case .recordPage(var page):
                page.records = page.records.map(ours)
                return .recordPage(page)
            case .records(var records):
                records.records = records.records.map(ours)
                return .records(records)
            default: return reply
            }
        }

        private func theirs(_ command: CloudCommand) -> CloudCommand {
            guard case .write(.modifyRecords(var request)) = command else { return command }
            for index in request.operations.indices {
                let name = request.operations[index].recordName
                request.operations[index].recordName = names.first { $0.value == name }?.key ?? name
            }
            return .write(.modifyRecords(request))
        }

        private func ours(_ item: Record.Item) -> Record.Item {
            switch item {
            case .record(let record):
                let renamed = Record(
                    id: Record.ID(
                        names[record.id.recordName] ?? record.id.recordName,
                        zoneID: record.id.zoneID), recordType: record.recordType,
                    recordChangeTag: record.recordChangeTag, fields: record.fields,
                    created: record.created, modified: record.modified)
                return .record(renamed)
            case .deleted(let name, let tag):
                return .deleted(recordName: names[name] ?? name, recordChangeTag: tag)
            case .failure(let name, let error):
                return .failure(recordName: names[name] ?? name, error)
            }
        }
    }

    @Test
    func `names that are not ASCII, and of 255 UTF-16 units, are listed, deleted and verified`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], records: 3)
        let names = [
            "_defaultZone-0": "café-🫖", "_defaultZone-1": String(repeating: "é", count: 250),
            "_defaultZone-2": String(repeating: "a", count: 255),
        ]
        let cloud = bench.cloud
        let databases: WritableDatabases = {
            Renaming(base: cloud.database(at: $0, user: "ada"), names: names)
        }
        let plan = await Sweep(request([id]), in: bench.world()).plan {
            ReadOnlyDatabase(databases($0))
        }
        #expect(plan.status == .somethingToDelete, "\(plan.explanation)")
        let file = bench.folder + "/the.plan"
        try await Sweep(request([id]), in: bench.world()).exportPlan(
            run: try #require(plan.runID), to: file)
        let report = await Sweep(request([id]), in: bench.world()).apply(
            planFile: file, on: databases, confirm: approve)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .defaultZone }?.deleted == 3)
        #expect(try bench.left() == 0)
    }

    @Test func `a name that no framework accepts discredits the page it is on`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], records: 1)
        for name in ["", String(repeating: "é", count: 256)] {
            let cloud = bench.cloud
            let report = await Sweep(request([id]), in: bench.world()).plan {
                ReadOnlyDatabase(
                    Renaming(
                        base: cloud.database(at: $0, user: "ada"), names: ["_defaultZone-0": name]))
            }
            #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        }
    }
}
