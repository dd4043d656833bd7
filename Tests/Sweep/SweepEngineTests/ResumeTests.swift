import AsyncOperations
import CloudModel
import DeletionPlanning
import InProcessMock
import MockStore
import SweepEngine
import Testing

/// Resuming believes the server about what is there, and the journal about what was meant.
struct ResumeTests {
    /// Says yes to the first deletions of each kind, and does nothing.
    private struct Liar: CloudDatabase {
        let base: MockDatabase
        let isLying: @Sendable (CloudCommand) -> Bool
        var address: Database.Address { base.address }

        func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
            guard isLying(command) else { return try await base.perform(command) }
            switch command {
            case .write(.modifyZones(let list)): return .zones(list.map { .deleted($0.id) })
            case .write(.modifyRecords(let request)):
                return .records(
                    RecordsReply(
                        records: request.operations.map {
                            .deleted(recordName: $0.recordName ?? "", recordChangeTag: nil)
                        }))
            case .write(.modifySubscriptions(let list)):
                return .subscriptions(
                    list.map { if case .delete(let id) = $0 { .deleted(id) } else { .deleted("") } }
                )
            default: return try await base.perform(command)
            }
        }
    }

    @Test func `S7 a deletion that was acknowledged and did nothing is sent again`() async throws {
        let id = try container("one")
        let lies: [@Sendable (CloudCommand) -> Bool] = [
            {
                if case .write(.modifyZones(let list)) = $0 { !list[0].id.isDefault } else { false }
            },
            { if case .write(.modifyRecords) = $0 { true } else { false } },
            { if case .write(.modifySubscriptions) = $0 { true } else { false } },
        ]
        for (number, isLie) in lies.enumerated() {
            let bench = try Bench()
            try bench.seed(id, (0..<230).map { "zone \($0)" }, records: 1)
            try bench.seed(id, ["_defaultZone"], records: 3)
            try bench.perform(
                .write(
                    .modifySubscriptions([
                        .create(Subscription(subscriptionID: "all", kind: .database))
                    ])), at: address(id))
            let cloud = bench.cloud
            let wanted = request([id])
            let first = await Sweep(wanted, in: bench.world()).run(
                on: { Liar(base: cloud.database(at: $0, user: "ada"), isLying: isLie) },
                confirm: approve)
            #expect(first.status == .dataLeft, "\(number): \(first.explanation)")
            #expect(first.canResume)
            let tape = Tape()
            let done = await Sweep(wanted, in: bench.world()).resume(
                run: first.runID, on: bench.databases(tape))
            #expect(done.status == .done, "\(number): \(done.explanation)")
            #expect(try bench.left() == 0)
            // Only what is still there is asked for again.
            let again = tape.modifying.filter {
                if case .write(.modifyZones(let list)) = $0.command {
                    !list[0].id.isDefault
                } else {
                    true
                }
            }
            #expect(again.count == (number == 0 ? 2 : 1), "\(number): \(again.count)")
        }
    }

    @Test func `what came back under another name is not deleted by resuming`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let cloud = bench.cloud
        let wanted = request([id])
        let first = await Sweep(wanted, in: bench.world()).run(
            on: {
                Liar(base: cloud.database(at: $0, user: "ada")) {
                    if case .write(.modifyZones(let list)) = $0 {
                        !list[0].id.isDefault
                    } else {
                        false
                    }
                }
            }, confirm: approve)
        #expect(first.status == .dataLeft)
        try bench.seed(id, ["b"])
        let tape = Tape()
        let refused = await Sweep(wanted, in: bench.world()).resume(
            run: first.runID, on: bench.databases(tape))
        #expect(refused.status == .refused, "\(refused.explanation)")
        #expect(tape.modifying.isEmpty)
    }
}
