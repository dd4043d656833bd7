import CloudModel
import DonationSync
import Donations
import Testing

/// Whatever a service answers, a round ends, and no deletion is lost on the way.
@Suite(.timeLimit(.minutes(10)))
struct ExchangeBoundTests {
    /// Far more than an honest round of this size asks, far fewer than 5,000.
    private static let requestsMax = 200

    /// A device of a zone, with a deletion, a row and a record's deletion to send.
    private func busy() throws -> (ExchangeWorld, ExchangeDevice) {
        let world = try ExchangeWorld()
        let phone = ExchangeDevice(world, seed: 1)
        phone.donate(.interaction("old"))
        phone.sync(rounds: 2)
        phone.storage.delete(.interactions(identifiers: ["old"]), .everywhere, now: world.now)
        phone.delete(.interactionGroup("g"))
        phone.donate(.interaction("new"))
        world.requests = []
        return (world, phone)
    }

    /// Own deletions that no zone has, those that the zone has, and those that were noted as lost.
    private func deletions(_ world: ExchangeWorld, _ phone: ExchangeDevice) -> Int {
        phone.storage.ownDeletions(limit: 9).count + world.records("Deletion").count
            + Int(phone.report.rescued)
    }

    private static func failing(
        _ names: [String], _ code: CloudError.Code, _ last: CloudError.Code? = nil
    ) -> CloudReply {
        let items = names.enumerated().map { index, name in
            Record.Item.failure(
                recordName: name,
                CloudError(index == names.count - 1 ? last ?? code : code))
        }
        return .records(RecordsReply(records: items))
    }

    @Test(arguments: CloudError.Code.allCases)
    func `a round ends whatever two answers a service alternates between`(
        first: CloudError.Code
    ) throws {
        for second in CloudError.Code.allCases {
            let (world, phone) = try busy()
            let before = deletions(world, phone)
            world.answer = { command in
                switch command {
                case .write(.modifyRecords(let request)):
                    let names = request.operations.map { $0.recordName ?? "" }
                    return Self.failing(names, .atomicError, first)
                case .read(.lookUpRecords(let request)):
                    return Self.failing(request.recordNames, second)
                default: return nil
                }
            }
            phone.sync()
            #expect(world.requests.count < Self.requestsMax, "\(first), \(second)")
            #expect(deletions(world, phone) >= before, "\(first), \(second)")
        }
    }

    @Test(arguments: CloudError.Code.allCases)
    func `a round ends whatever a service says of feeds and of whole requests`(
        first: CloudError.Code
    ) throws {
        for second in CloudError.Code.allCases {
            let (world, phone) = try busy()
            let before = deletions(world, phone)
            var count = 0
            world.answer = { command in
                guard case .read(.zoneChanges(let requests)) = command else { return nil }
                count += 1
                let error = CloudError(count.isMultiple(of: 2) ? second : first)
                return .zoneChanges(requests.map { .failure($0.zoneID, error) })
            }
            world.fault = { command in
                guard command.isModifying else { return (nil, nil) }
                count += 1
                return (CloudError(count.isMultiple(of: 2) ? first : second), nil)
            }
            phone.sync()
            #expect(world.requests.count < Self.requestsMax, "\(first), \(second)")
            #expect(deletions(world, phone) >= before, "\(first), \(second)")
        }
    }

    enum Feed: CaseIterable {
        /// More is to come for ever, each time behind a new token.
        case endless
        /// More is to come for ever, and the same page again and again.
        case circling
        /// Every second page comes with an older token.
        case backwards
        /// Each reading says that this device is in no register.
        case forgettingDevices
        /// Each reading says that the deletions are gone.
        case forgettingDeletions
        /// Each reading says that the zone's record is gone.
        case forgettingZone
    }

    @Test(arguments: Feed.allCases)
    func `a round ends whatever a feed goes on to say`(feed: Feed) throws {
        let (world, phone) = try busy()
        phone.sync()
        phone.delete(.interactionGroup("h"))
        world.requests = []
        var count = 0
        let device = try #require(phone.storage.exchange().device)
        let isEndless = [.endless, .circling, .backwards].contains(feed)
        world.answer = { [world] command in
            guard case .read(.zoneChanges(var requests)) = command else { return nil }
            // It never heard of its own tokens.
            if isEndless { requests[0].token = nil }
            guard
                case .zoneChanges(let items)? = try? world.cloud.perform(
                    .read(.zoneChanges(requests)), at: ExchangeWorld.address, by: .user("ann")),
                case .page(var page)? = items.first
            else { return nil }
            count += 1
            func says(_ gone: [String]) {
                page.records += gone.map { .deleted(recordName: $0, recordChangeTag: nil) }
            }
            switch feed {
            case .endless: page.token = ChangeToken("t\(count)")
            case .circling: page.token = ChangeToken("t\(count % 3)")
            case .backwards: page.token = ChangeToken("t\(count.isMultiple(of: 2) ? count : 1)")
            case .forgettingDevices: says(["v-\(device)"])
            case .forgettingDeletions: says((1...2).map { "x-\(device)-\($0)" })
            case .forgettingZone: says(["zone"])
            }
            if isEndless { page.moreComing = true }
            return .zoneChanges([.page(page)])
        }
        phone.sync()
        // A feed may have much to say; what only contradicts itself is left alone far sooner.
        #expect(world.requests.count <= (isEndless ? 2000 : Self.requestsMax))
        if isEndless { #expect(phone.last.isWait(.longRound), "\(phone.last)") }
    }
}

extension SyncAction {
    /// Whether it is a wait for a reason.
    func isWait(_ reason: SyncWait) -> Bool {
        if case .wait(_, reason) = self { true } else { false }
    }
}
