import CloudModel
import DonationSync
import Donations
import MockStore
import Testing

/// A device that came back from a backup (R9): what it did since is in the zone, not in it.
struct ExchangeRestoreTests {
    private func pair() throws -> (
        world: ExchangeWorld, phone: ExchangeDevice, watch: ExchangeDevice
    ) {
        var options = MockOptions()
        options.recordsPageMax = 1
        let world = try ExchangeWorld(options: options)
        let devices = [1, 2].map { seed in
            ExchangeDevice(world, seed: seed) { $0.deletionsKept = 0 }
        }
        for device in devices { device.sync(rounds: 2) }
        return (world, devices[0], devices[1])
    }

    @Test func `events that were sent after the backup are not there twice`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.activity(nil, title: "nameless"))
        phone.donate(.activity("named", title: "named"))
        let backup = phone.storage
        let rows = phone.rows
        phone.sync(rounds: 2)
        phone.storage = backup
        phone.sync(rounds: 2)
        watch.sync()
        #expect(phone.rows == rows)
        #expect(watch.rows == rows)
        #expect(world.records("Donation").count == 2)
        #expect(world.records("SavedActivity").count == 2)
    }

    @Test func `a deletion is not taken for the collected one of a former life`() throws {
        let (world, phone, watch) = try pair()
        let backup = watch.storage
        watch.delete(.interactionGroup("g"))
        for device in [watch, phone, watch, phone, watch] { device.sync() }
        #expect(world.records("Deletion").isEmpty, "collected")
        // The watch was silent since, and dropped: nothing but the base knows of its former life.
        let name = try #require(watch.storage.exchange().device)
        try world.modify([.forceDelete("v-" + name)])
        watch.storage = backup
        watch.delete(.interactionGroup("h"))
        watch.sync(rounds: 2)
        #expect(world.records("Deletion").count == 1)
        phone.donate(.interaction("concurrent", group: "h"))
        phone.sync()
        #expect(phone.rows == [])
    }

    @Test func `a deletion that no zone has yet covers all rows, whatever they have seen`() throws {
        let (world, phone, watch) = try pair()
        let backup = watch.storage
        watch.delete(.interactionGroup("g"))
        // Not confirmed yet, so that it is collected only after the row was sent.
        world.fault = { command in
            guard case .write(.modifyRecords(let request)) = command,
                request.operations[0].recordName?.hasPrefix("v-") == true
            else { return (nil, nil) }
            return (CloudError(.networkFailure), nil)
        }
        watch.sync()
        world.fault = nil
        world.pass(.seconds(300))
        phone.sync()
        phone.donate(.interaction("a", group: "h"))
        for device in [phone, watch, phone, watch, phone] { device.sync() }
        #expect(world.records("Deletion").isEmpty, "collected")
        let name = try #require(watch.storage.exchange().device)
        try world.modify([.forceDelete("v-" + name)])
        watch.storage = backup
        // The row has seen the deletion of a former life that had this number, and comes before
        // the base that tells of it.
        watch.delete(.interactionGroup("h"))
        var seen: Set<String> = []
        world.fault = { _ in
            seen.formUnion(watch.rows)
            return (nil, nil)
        }
        watch.sync(rounds: 2)
        #expect(seen == [])
        #expect(world.records("Donation").isEmpty)
    }
}
