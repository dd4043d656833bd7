import CloudModel
import DonationSync
import Donations
import MockStore
import Testing

/// What happens between a request and its answer, and in an order that nobody chose.
struct ExchangeRaceTests {
    private func devices(
        _ count: Int, kept: Int = 64, pageLimit: Int? = nil, includesItems: Bool = false
    ) throws -> (world: ExchangeWorld, devices: [ExchangeDevice]) {
        var options = MockOptions()
        if let pageLimit { options.recordsPageMax = pageLimit }
        let world = try ExchangeWorld(options: options)
        let devices = (1...count).map { seed in
            ExchangeDevice(world, seed: UInt64(seed), includesItems: includesItems) {
                $0.deletionsKept = kept
            }
        }
        return (world, devices)
    }

    /// Runs `act` once, just before the first request that is one of these.
    private func before(
        _ world: ExchangeWorld, _ isIt: @escaping (RecordOperation) -> Bool,
        act: @escaping () -> Void
    ) {
        world.fault = { [world] command in
            guard case .write(.modifyRecords(let request)) = command,
                request.operations.contains(where: isIt)
            else { return (nil, nil) }
            world.fault = nil
            act()
            return (nil, nil)
        }
    }

    @Test func `a record is deleted only in the version that the deleted row was`() throws {
        let (world, all) = try devices(2)
        let (phone, watch) = (all[0], all[1])
        phone.donate(.interaction("a", group: "g"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        phone.delete(.interactionGroup("g"))
        var isDone = false
        before(
            world, { $0.kind.isDelete },
            act: {
                watch.donate(.interaction("a", group: "another"))
                watch.sync()
                isDone = true
            })
        phone.sync()
        #expect(isDone)
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        #expect(phone.rows == ["interaction a"])
        #expect(watch.rows == ["interaction a"])
    }

    @Test func `a row that saw a deletion lives, though the deletion arrives after it`() throws {
        let (world, all) = try devices(3, pageLimit: 1)
        let (phone, watch, newcomer) = (all[0], all[1], all[2])
        phone.sync(rounds: 2)
        phone.delete(.interactionGroup("g"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        watch.donate(.interaction("after", group: "g"))
        watch.sync(rounds: 2)
        // The record of the deletion is lost, and sent again: now it stands behind the row.
        let name = try #require(world.records("Deletion").first?.id.recordName)
        try world.modify([.forceDelete(name)])
        phone.sync(rounds: 2)
        newcomer.sync(rounds: 2)
        #expect(newcomer.rows == ["interaction after"])
        #expect(phone.rows == ["interaction after"])
    }

    @Test(arguments: [false, true])
    func `an item that vanishes while it is sent takes its activities out of sight at once`(
        isLookedUp: Bool
    ) throws {
        let (world, all) = try devices(2, includesItems: true)
        let (phone, watch) = (all[0], all[1])
        phone.donate(.item("x"))
        phone.donate(.activity("p", title: "about x", related: "x"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        let item = try #require(world.records("SearchItem").first)
        watch.donate(.item("x", domain: "new"))
        #expect(watch.visible.count == 3)
        var visible: [String]?
        before(
            world, { $0.recordName == item.id.recordName && $0.kind == .update },
            act: {
                let name = item.id.recordName
                if isLookedUp {
                    // In conflict first, and gone when it is looked at.
                    try? world.modify([
                        RecordOperation(
                            .forceUpdate, recordName: name, recordType: item.recordType,
                            fields: [:])
                    ])
                } else {
                    try? world.modify([.forceDelete(name)])
                }
                world.fault = { command in
                    if case .read(.lookUpRecords) = command {
                        try? world.modify([.forceDelete(name)])
                    } else {
                        visible = visible ?? watch.visible
                    }
                    return (nil, nil)
                }
            })
        watch.sync()
        #expect(visible == [])
    }

    @Test func `a change during the upload is sent as well`() throws {
        let (world, all) = try devices(2)
        let (phone, watch) = (all[0], all[1])
        phone.donate(.interaction("a", group: "first"))
        before(
            world, { $0.kind == .create && ($0.recordName ?? "").hasPrefix("d-") },
            act: {
                phone.donate(.interaction("a", group: "second"))
            })
        phone.sync(rounds: 2)
        watch.sync()
        #expect(watch.storage.rows(after: nil, limit: 9).map(\.donation.group) == ["second"])
    }

    @Test func `a row that goes during its upload does not stay in the zone`() throws {
        let (world, all) = try devices(2)
        let (phone, watch) = (all[0], all[1])
        phone.donate(.interaction("a", group: "g"))
        before(
            world, { $0.kind == .create && ($0.recordName ?? "").hasPrefix("d-") },
            act: {
                phone.delete(.interactionGroup("g"))
            })
        phone.sync(rounds: 2)
        watch.sync()
        #expect(world.records("Donation").isEmpty)
        #expect(phone.rows == [] && watch.rows == [])
    }

    @Test func `before a deletion is collected, what it covers is looked for everywhere`() throws {
        let (world, all) = try devices(3, kept: 0)
        let (phone, watch, newcomer) = (all[0], all[1], all[2])
        phone.donate(.interaction("a", group: "g"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        // No device has the row, but its record is there.
        phone.delete(.interactionGroup("g"), .thisDevice)
        watch.delete(.interactionGroup("g"), .thisDevice)
        phone.delete(.interactionGroup("g"))
        for _ in 0..<4 {
            phone.sync()
            watch.sync()
        }
        #expect(world.records("Deletion").isEmpty, "collected")
        newcomer.sync(rounds: 2)
        #expect(newcomer.rows == [])
        #expect(world.records("Donation").isEmpty)
    }

    @Test
    func `a row that saw a deletion is not replaced by one that goes with it`() throws {
        let (_, all) = try devices(2)
        let (phone, watch) = (all[0], all[1])
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        watch.donate(.interaction("a", group: "g"))
        before(
            watch.world, { $0.kind == .create && ($0.recordName ?? "").hasPrefix("d-") },
            act: {
                // The phone deletes the group and donates the same again, by a clock behind.
                phone.delete(.interactionGroup("g"))
                phone.world.pass(.seconds(-600))
                phone.donate(.interaction("a", group: "g"))
                phone.world.pass(.seconds(600))
                phone.sync(rounds: 2)
            })
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        #expect(watch.rows == ["interaction a"])
        #expect(phone.rows == ["interaction a"])
    }

    @Test func `what somebody saves again after its deletion was collected stays deleted`() throws {
        let (world, all) = try devices(3, kept: 0)
        let (phone, watch, newcomer) = (all[0], all[1], all[2])
        phone.donate(.interaction("a", group: "g"))
        phone.donate(.interaction("b"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        let stash = world.records("Donation")
        let old = try #require(stash.first { $0.fields["groupKey"] != nil })
        watch.delete(.interactionGroup("g"))
        for device in [watch, phone, watch, phone, watch] { device.sync() }
        #expect(world.records("Deletion").isEmpty, "collected")
        world.pass(.seconds(60))
        try world.modify([
            RecordOperation(
                .create, recordName: old.id.recordName, recordType: old.recordType,
                fields: old.fields.mapValues { $0 })
        ])
        for device in [phone, watch, newcomer] { device.sync(rounds: 2) }
        #expect(phone.rows == ["interaction b"], "what was there before the collection stays")
        #expect(watch.rows == ["interaction b"])
        #expect(newcomer.rows == ["interaction b"])
        #expect(world.records("Donation").count == 1)
    }

    @Test func `two clones of a device part when both go on`() throws {
        let (world, all) = try devices(2)
        let (phone, clone) = (all[0], all[1])
        phone.donate(.interaction("a"))
        phone.sync(rounds: 2)
        clone.storage = phone.storage
        phone.delete(.interactionGroup("g"))
        clone.delete(.interactionGroup("h"))
        phone.donate(.interaction("from the phone", group: "h"))
        clone.donate(.interaction("from the clone", group: "g"))
        phone.sync()
        clone.sync(rounds: 2)
        phone.sync(rounds: 2)
        clone.sync(rounds: 2)
        #expect(phone.storage.exchange().device != clone.storage.exchange().device)
        #expect(world.records("Deletion").count == 2)
        #expect(phone.rows == ["interaction a"])
        #expect(clone.rows == ["interaction a"])
    }

    @Test func `a name that somebody else took does not hold up a deletion`() throws {
        let (world, all) = try devices(2)
        let (phone, watch) = (all[0], all[1])
        phone.sync(rounds: 2)
        watch.donate(.interaction("a", group: "g"))
        watch.sync(rounds: 2)
        let device = try #require(phone.storage.exchange().device)
        try world.modify([
            RecordOperation(
                .create, recordName: "x-\(device)-1", recordType: "Deletion",
                fields: ["device": Field(.string("another"))])
        ])
        phone.delete(.interactionGroup("g"))
        world.requests = []
        #expect(phone.sync() == .idle)
        #expect(world.requests.count < 40)
        watch.sync()
        #expect(watch.rows == [])
        #expect(world.records("Donation").isEmpty)
    }
}
