import CloudModel
import DonationSync
import Donations
import MockStore
import Testing

/// R1 to R9. `Tests/Mutations/table.txt` plants bugs for most.
struct ExchangeRuleTests {
    private func pair(
        kept: Int = 64
    ) throws -> (world: ExchangeWorld, phone: ExchangeDevice, watch: ExchangeDevice) {
        let world = try ExchangeWorld()
        let devices = [1, 2].map { seed in
            ExchangeDevice(world, seed: seed) { $0.deletionsKept = kept }
        }
        return (world, devices[0], devices[1])
    }

    @Test func `R1 a deletion travels as its selector, so that it reaches rows it never saw`()
        throws
    {
        let (_, phone, watch) = try pair()
        watch.donate(.interaction("unseen", group: "g"))
        phone.delete(.interactionGroup("g"))
        phone.sync()
        watch.sync()
        #expect(watch.rows == [])
    }

    @Test func `R2 contexts decide what a deletion covers, not clocks`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a", group: "g"))
        phone.delete(.interactionGroup("g"))
        // The clock goes back between the deletion and what is donated after it.
        world.pass(.seconds(-3600))
        phone.donate(.interaction("again", group: "g"))
        phone.sync()
        watch.sync()
        phone.sync()
        #expect(watch.rows == ["interaction again"])
    }

    @Test func `R2 a row made after seeing a deletion lives, a concurrent one goes`() throws {
        let (_, phone, watch) = try pair()
        phone.delete(.interactionGroup("g"))
        phone.sync()
        watch.donate(.interaction("concurrent", group: "g"))
        watch.sync()
        watch.donate(.interaction("after", group: "g"))
        watch.sync()
        phone.sync()
        #expect(phone.rows == ["interaction after"])
        #expect(watch.rows == ["interaction after"])
    }

    @Test func `R3 deletions are pushed and fetched before donations are sent`() throws {
        let (world, phone, watch) = try pair()
        phone.sync(rounds: 2)
        watch.donate(.interaction("old", group: "g"))
        watch.sync(rounds: 2)
        phone.donate(.interaction("new"))
        phone.delete(.interactionGroup("g"))
        world.requests = []
        phone.sync()
        let order = world.requests.compactMap { request -> String? in
            switch request {
            case .read(.zoneChanges): return "fetch"
            case .write(.modifyRecords(let request)):
                guard let first = request.operations.first else { return nil }
                return first.kind.isDelete ? nil : String((first.recordName ?? "").prefix(2))
            default: return nil
            }
        }
        #expect(Array(order.prefix(4)) == ["fetch", "x-", "fetch", "d-"], "\(order)")
    }

    @Test func `R3 a deletion is in the zone before what was donated after it`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("seen"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        phone.delete(.interactionGroup("g"))
        phone.donate(.interaction("after", group: "g"))
        // The round ends after the first write of the phone.
        var writes = 0
        world.fault = { command in
            guard command.isModifying else { return (nil, nil) }
            writes += 1
            return writes > 1 ? (CloudError(.networkFailure), nil) : (nil, nil)
        }
        phone.sync()
        world.fault = nil
        watch.sync()
        world.pass(.seconds(300))
        phone.sync()
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        #expect(phone.rows.contains("interaction after"))
    }

    @Test func `R4 a record that vanished is never inserted again`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        // Between the phone's look at the feed and its update somebody deletes the record.
        phone.donate(.interaction("a", group: "g"))
        let name = try #require(world.records("Donation").first?.id.recordName)
        var isDone = false
        world.fault = { [world] command in
            guard case .write(.modifyRecords(let request)) = command, !isDone,
                request.operations.contains(where: { $0.kind == .update })
            else { return (nil, nil) }
            isDone = true
            try? world.modify([.forceDelete(name)])
            return (nil, nil)
        }
        phone.sync()
        world.fault = nil
        phone.sync()
        #expect(phone.rows == [])
        #expect(world.records("Donation").isEmpty)
    }

    @Test func `R4 what another device wrote meanwhile is merged, not overwritten`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        var first = Donation.interaction("a")
        first.title = "from the phone"
        var second = Donation.interaction("a")
        second.title = "from the watch, later"
        phone.donate(first)
        watch.donate(second)
        watch.sync()
        phone.sync(rounds: 2)
        watch.sync()
        let titles = [phone, watch].map {
            $0.storage.rows(after: nil, limit: 9).map(\.donation.title)
        }
        #expect(titles == [["from the watch, later"], ["from the watch, later"]])
        #expect(world.records("Donation").count == 1)
    }

    @Test(arguments: [1, 7, 60])
    func `R5 a batch that is too large is split, and all of it is sent`(limit: Int) throws {
        var options = MockOptions()
        options.operationsMax = limit
        let world = try ExchangeWorld(options: options)
        let (phone, watch) = (ExchangeDevice(world, seed: 1), ExchangeDevice(world, seed: 2))
        for index in 0..<130 { phone.donate(.interaction("i\(index)")) }
        phone.sync()
        watch.sync()
        #expect(watch.rows.count == 130)
        #expect(phone.report.refused == 0)
    }

    @Test func `R6 a deletion is kept until every device has confirmed it`() throws {
        let (world, phone, watch) = try pair(kept: 0)
        watch.donate(.interaction("w"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        phone.delete(.interactionGroup("g"))
        phone.sync(rounds: 3)
        #expect(world.records("Deletion").count == 1)
        watch.sync(rounds: 3)
        phone.sync(rounds: 3)
        watch.sync(rounds: 3)
        #expect(world.records("Deletion").isEmpty)
    }

    @Test func `R6 a silent device is dropped, and begins anew when it returns`() throws {
        let (world, phone, watch) = try pair(kept: 0)
        phone.donate(.interaction("kept"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        watch.donate(.interaction("unsent", group: "g"))
        phone.delete(.interactionGroup("g"))
        phone.sync(rounds: 2)
        #expect(world.records("Device").count == 2)
        world.pass(.seconds(200 * 86_400))
        phone.donate(.interaction("much later"))
        phone.delete(.interactionGroup("other"))
        phone.sync(rounds: 3)
        #expect(world.records("Device").count == 1, "the watch was dropped")
        #expect(world.records("Deletion").isEmpty, "and does not hold up the collection")
        watch.sync(rounds: 2)
        #expect(watch.rows == ["interaction kept", "interaction much later"])
        #expect(world.records("Device").count == 2)
    }

    @Test func `R7 what was collected stays seen, and newcomers begin from it`() throws {
        let world = try ExchangeWorld()
        let devices = [1, 2, 3].map { seed in
            ExchangeDevice(world, seed: seed) { $0.deletionsKept = 0 }
        }
        let (phone, watch, newcomer) = (devices[0], devices[1], devices[2])
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        newcomer.donate(.interaction("concurrent", group: "g"))
        phone.delete(.interactionGroup("g"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 3)
        phone.sync(rounds: 3)
        watch.sync(rounds: 3)
        #expect(world.records("Deletion").isEmpty)
        newcomer.sync(rounds: 2)
        phone.sync()
        #expect(phone.rows == [])
    }

    @Test func `R8 another incarnation drops all rows, and takes a new name`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("old"))
        phone.sync(rounds: 2)
        let before = phone.storage.exchange()
        try world.recreateZone()
        watch.donate(.interaction("new"))
        watch.sync(rounds: 2)
        // The phone sees only the new zone of the same name.
        phone.donate(.interaction("unsent"))
        phone.sync(rounds: 2)
        let after = phone.storage.exchange()
        #expect(before.incarnation != after.incarnation)
        #expect(before.device != after.device)
        watch.sync()
        #expect(watch.rows == ["interaction new"])
    }

    @Test func `R9 a device that was rolled back takes another name before anything else`() throws {
        let (world, phone, watch) = try pair()
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        let backup = phone.storage
        phone.delete(.interactionGroup("g"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        watch.donate(.interaction("after", group: "h"))
        phone.storage = backup
        // The same number as the deletion of the former life.
        phone.delete(.interactionGroup("h"))
        world.requests = []
        phone.sync(rounds: 3)
        watch.sync(rounds: 3)
        #expect(watch.rows == [])
    }
}
