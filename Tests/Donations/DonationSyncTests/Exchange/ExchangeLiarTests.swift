import CloudModel
import DonationSync
import Donations
import Testing

/// The service contradicts itself, or carries out only a part of what was asked.
@Suite(.timeLimit(.minutes(10)))
struct ExchangeLiarTests {
    private func joined(_ seed: UInt64 = 1) throws -> (ExchangeWorld, ExchangeDevice) {
        let world = try ExchangeWorld()
        let phone = ExchangeDevice(world, seed: seed)
        phone.sync(rounds: 2)
        return (world, phone)
    }

    /// Says that new records are there already, and that none of them is when asked.
    private static func contradicting(
        about isMeant: @escaping (RecordOperation) -> Bool
    ) -> (CloudCommand) -> CloudReply? {
        var names: Set<String> = []
        func reply(_ all: [String], _ code: CloudError.Code) -> CloudReply {
            let items = all.map { name in
                Record.Item.failure(
                    recordName: name,
                    CloudError(names.contains(name) ? code : .atomicError))
            }
            return .records(RecordsReply(records: items))
        }
        return { command in
            switch command {
            case .write(.modifyRecords(let request)):
                let meant = request.operations.filter(isMeant).compactMap(\.recordName)
                guard !meant.isEmpty else { return nil }
                names.formUnion(meant)
                return reply(request.operations.compactMap(\.recordName), .exists)
            case .read(.lookUpRecords(let request)):
                guard !names.isDisjoint(with: request.recordNames) else { return nil }
                names.formUnion(request.recordNames)
                return reply(request.recordNames, .notFound)
            default: return nil
            }
        }
    }

    @Test func `a name that is taken and yet not there does not keep a round going`() throws {
        let (world, phone) = try joined()
        phone.delete(.interactionGroup("g"))
        phone.donate(.interaction("a"))
        world.answer = Self.contradicting { $0.recordType == "Deletion" }
        world.requests = []
        phone.sync()
        #expect(world.requests.count < 30)
        // What has nothing to do with it goes on.
        #expect(world.records("Donation").count == 1)
        #expect(world.records("Deletion").isEmpty)
        world.answer = nil
        phone.sync(rounds: 2)
        #expect(world.records("Deletion").count == 1)
        #expect(phone.storage.ownDeletions(limit: 9).isEmpty)
    }

    @Test func `a deletion that has to wait does not keep another from being sent`() throws {
        let (world, phone) = try joined()
        let watch = ExchangeDevice(world, seed: 2)
        watch.sync(rounds: 2)
        watch.donate(.interaction("b", group: "h"))
        let device = try #require(phone.storage.exchange().device)
        phone.delete(.interactionGroup("g"))
        phone.delete(.interactionGroup("h"))
        world.answer = Self.contradicting { $0.fields["seq"] == Field(.int64(1)) }
        phone.sync()
        #expect(world.records("Deletion").count == 1)
        #expect(phone.storage.ownDeletions(limit: 9).map(\.sequence) == [1])
        // The context does not run ahead of what is in the zone.
        #expect(phone.storage.exchange().context[device] == nil)
        watch.sync(rounds: 2)
        #expect(watch.rows == [])
        world.answer = nil
        phone.sync(rounds: 2)
        #expect(world.records("Deletion").count == 2)
        #expect(phone.storage.exchange().context[device] == 2)
    }

    @Test func `a deletion is not dropped because a later one is in the zone`() throws {
        let (world, phone) = try joined()
        phone.delete(.interactionGroup("g"))
        phone.delete(.interactionGroup("h"))
        var lies = 1
        world.answer = { [world] command in
            guard case .write(.modifyRecords(var request)) = command, lies > 0,
                request.operations.count == 2,
                request.operations.allSatisfy({ $0.recordType == "Deletion" })
            else { return nil }
            lies -= 1
            // Only the second one is carried out, though all or none was asked for.
            let lost = request.operations.removeFirst()
            guard
                case .records(let answer)? = try? world.cloud.perform(
                    .write(.modifyRecords(request)), at: ExchangeWorld.address, by: .user("ann"))
            else { return nil }
            let refusal = Record.Item.failure(
                recordName: lost.recordName ?? "", CloudError(.exists))
            return .records(RecordsReply(records: [refusal] + answer.records))
        }
        phone.sync(rounds: 2)
        #expect(lies == 0)
        #expect(world.records("Deletion").count == 2)
        #expect(phone.storage.ownDeletions(limit: 9).isEmpty)
        let device = try #require(phone.storage.exchange().device)
        #expect(phone.storage.exchange().context[device] == 2)
    }

    @Test func `a zone's record that is there and not there makes the round wait`() throws {
        let world = try ExchangeWorld()
        let phone = ExchangeDevice(world, seed: 1)
        world.answer = Self.contradicting { $0.recordType == "DonationZone" }
        phone.sync()
        #expect(world.requests.count < 200)
        guard case .wait(_, .unavailable) = phone.last else {
            Issue.record("\(phone.last)")
            return
        }
        world.answer = nil
        world.pass(.seconds(3600))
        phone.sync(rounds: 2)
        #expect(phone.storage.exchange().isRegistered)
    }

    @Test func `records that are never deleted make the round wait`() throws {
        let (world, phone) = try joined()
        phone.donate(.interaction("a"))
        phone.sync()
        phone.storage.delete(.allInteractions, .everywhere, now: world.now)
        world.answer = { command in
            guard case .write(.modifyRecords(let request)) = command,
                request.operations.first?.kind == .delete
            else { return nil }
            return .records(
                RecordsReply(
                    records: request.operations.map {
                        .failure(recordName: $0.recordName ?? "", CloudError(.atomicError))
                    }))
        }
        world.requests = []
        phone.sync()
        #expect(world.requests.count < 200)
        guard case .wait(_, .unavailable) = phone.last else {
            Issue.record("\(phone.last)")
            return
        }
    }

    @Test(arguments: [true, false])
    func `an answer of another shape means the same wherever it is found out`(
        byClient: Bool
    ) throws {
        let (world, phone) = try joined()
        phone.donate(.interaction("a"))
        if byClient {
            world.fault = { ($0.isModifying ? CloudError(.unexpectedResponse) : nil, nil) }
        } else {
            world.answer = { $0.isModifying ? .records(RecordsReply(records: [])) : nil }
        }
        guard case .wait(_, .unavailable) = phone.sync() else {
            Issue.record("\(phone.last)")
            return
        }
    }
}
