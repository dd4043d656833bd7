import CloudModel
import DonationSync
import Donations
import MockStore
import Testing

/// The service goes back in time, and lost what it had acknowledged.
struct ExchangeServiceTests {
    private func pair(kept: Int = 64) throws -> (
        world: ExchangeWorld, phone: ExchangeDevice, watch: ExchangeDevice
    ) {
        let world = try ExchangeWorld()
        let devices = [1, 2].map { seed in
            ExchangeDevice(world, seed: seed) { $0.deletionsKept = kept }
        }
        for device in devices + devices { device.sync(rounds: 2) }
        return (world, devices[0], devices[1])
    }

    @Test func `a device confirms though the service went back to before it did`() throws {
        let (world, phone, watch) = try pair()
        watch.delete(.interactionGroup("g"))
        watch.sync()
        var snapshot: String?
        world.fault = { [world] command in
            if command.isModifying { snapshot = snapshot ?? (try? world.cloud.snapshot()) }
            return (nil, nil)
        }
        phone.sync()
        world.fault = nil
        try world.cloud.restore(try #require(snapshot))
        watch.delete(.interactionGroup("h"))
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        #expect(phone.storage.exchange().confirmed == phone.storage.exchange().context)
        world.requests = []
        phone.sync()
        #expect(!world.requests.contains { $0.isModifying })
    }

    @Test func `rows that the service lost before they were read again go`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a"))
        phone.sync()
        watch.sync()
        let snapshot = try world.cloud.snapshot()
        phone.donate(.interaction("lost"))
        var isSent = false
        world.fault = { command in
            isSent = isSent || command.isModifying
            guard case .read(.zoneChanges) = command, isSent else { return (nil, nil) }
            return (CloudError(.networkFailure), nil)
        }
        for _ in 1...2 {
            phone.sync()
            world.pass(.seconds(300))
        }
        world.fault = nil
        try world.cloud.restore(snapshot)
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        #expect(phone.rows == ["interaction a"])
        #expect(watch.rows == ["interaction a"])
    }

    @Test func `what was collected is collected again`() throws {
        let (world, phone, watch) = try pair(kept: 0)
        let all = [phone, watch].sorted {
            $0.storage.exchange().device ?? "" < $1.storage.exchange().device ?? ""
        }
        let (collector, other) = (all[0], all[1])
        var snapshot: String?
        world.fault = { [world] command in
            if case .write(.modifyRecords(let request)) = command,
                request.operations.first?.recordName == "zone"
            {
                snapshot = try? world.cloud.snapshot()
            }
            return (nil, nil)
        }
        phone.delete(.interactionGroup("g"))
        for device in [phone, other, collector] { device.sync() }
        world.fault = nil
        #expect(world.records("Deletion").isEmpty)
        try world.cloud.restore(try #require(snapshot))
        #expect(world.records("Deletion").count == 1)
        try world.forgetHistory()
        for device in [other, collector, other, collector, other] { device.sync(rounds: 2) }
        #expect(world.records("Deletion").isEmpty)
        world.requests = []
        for device in all { device.sync(rounds: 2) }
        #expect(!world.requests.contains { $0.isModifying })
    }
}
