import CloudModel
import SweepEngine
import Testing

/// Every service error, cut and stale answer, at every step of a sweep.
struct FaultTableTests {
    static let operations = [
        "users/caller", "zones/list", "changes/database", "subscriptions/list", "records/query",
        "zones/modify", "records/modify", "subscriptions/modify", "changes/zone",
    ]
    static let serviceCodes = CloudError.Code.allCases.filter(\.isServiceCode)

    @Test(arguments: operations, serviceCodes)
    func `a service error that passes is survived or told, never both`(
        operation: String, code: CloudError.Code
    ) async throws {
        try await check("\(operation) 2 times -> \(code.rawValue)")
    }

    @Test(arguments: operations, serviceCodes)
    func `a service error that stays never ends in success with data left`(
        operation: String, code: CloudError.Code
    ) async throws {
        // That is how the service says that nobody has ever used a record type: there is nothing
        // to tell the two apart by.
        if operation == "records/query" && code == .notFound { return }
        try await check("\(operation) -> \(code.rawValue)")
    }

    @Test(arguments: ["zones/modify", "records/modify", "subscriptions/modify"], serviceCodes)
    func `an item that keeps failing is told`(
        operation: String, code: CloudError.Code
    ) async throws {
        try await check("\(operation) -> \(code.rawValue) on 1 items")
    }

    @Test(arguments: operations, ["cut before commit", "cut after commit"])
    func `a lost answer is asked for again`(operation: String, action: String) async throws {
        let report = try await check("1st \(operation) -> \(action)")
        #expect(report.status == .done)
    }

    @Test(arguments: [
        "zones/list -> stale zone list", "changes/database -> stale zone list",
        "zones/list once -> empty page", "changes/database 3 times -> empty page",
        "records/query 3 times -> empty page", "zones/modify -> recreate zone with 3 records",
        "zones/modify once -> recreate zone with 0 records",
    ])
    func `stale answers and other devices do not fool the verification`(rule: String) async throws {
        try await check(rule)
    }

    @Test func `what a rule protects is there after a sweep full of faults`() async throws {
        let scene = try await Scene()
        defer { scene.cleanUp() }
        try scene.rehearsal.setFaults(["20% any -> THROTTLED retry 1s"])
        let report = await scene.sweep(protecting: "Keep")
        // A zone and its five records in each container.
        #expect(try scene.violations(of: report, kept: 12) == [])
        for container in Scene.containers {
            let database = scene.rehearsal.database(at: Scene.address(container), user: "ada")
            let names = try await database.zones().zones.map(\.id.zoneName)
            #expect(names.contains("Keep"))
        }
    }

    @discardableResult
    private func check(_ rule: String) async throws -> SweepReport {
        let scene = try await Scene()
        defer { scene.cleanUp() }
        try scene.rehearsal.setFaults([rule])
        let report = await scene.sweep()
        #expect(try scene.violations(of: report) == [], "\(rule): \(report.explanation)")
        return report
    }
}
