import DonationStore
import DonationSync
import Donations
import Testing

/// What is past its time by one device's clock is deleted for all only when it is past its time by
/// the service's clock too.
struct ExpiryClockTests {
    private static let day = Duration.seconds(86_400)

    /// Two devices with the same donations, of which two end in ten days. The tablet's clock is 31
    /// days ahead.
    private func pair() async throws -> (ExchangeWorld, StoredDevice, StoredDevice) {
        let world = try ExchangeWorld()
        let phone = try await StoredDevice(world, seed: 1)
        let tablet = try await StoredDevice(world, seed: 2, ahead: Self.day * 31)
        var said = Donation.interaction("said")
        said.expiration = world.now.advanced(by: Self.day * 10)
        _ = try await phone.store.donate([said, .interaction("lasting")])
        var item = Donation.item("item")
        item.expiration = world.now.advanced(by: Self.day * 10)
        _ = try await phone.store.index([(item, .replace)])
        _ = try await phone.store.donateActivity(.activity("page", title: "x", related: "item"))
        try await settle(phone, tablet)
        #expect(try await phone.rows().count == 5)
        #expect(try await tablet.rows() == phone.rows())
        return (world, phone, tablet)
    }

    private func settle(_ devices: StoredDevice...) async throws {
        for _ in 0..<3 { for device in devices { try await device.sync() } }
    }

    @Test func `a device whose clock is a month ahead deletes nothing on the others`() async throws
    {
        let (world, phone, tablet) = try await pair()
        let before = try await phone.rows()
        #expect(try await tablet.store.expire().first?.removedCount == 4)
        try await settle(tablet, phone)
        try world.forgetHistory()
        try await settle(tablet, phone)
        #expect(try await tablet.rows() == ["interaction lasting"], "nothing comes back to it")
        #expect(try await phone.rows() == before)
        #expect(world.donationCount == 5)
        // It asks the service for the time once, and then waits.
        world.requests = []
        try await tablet.sync(rounds: 5)
        #expect(world.requests.count == 5)
    }

    @Test func `what is past its time by the service's clock too is deleted on all devices`()
        async throws
    {
        let (world, phone, tablet) = try await pair()
        _ = try await tablet.store.expire()
        try await settle(tablet, phone)
        // The items of the phone are past their time; it does not look at them.
        world.pass(Self.day * 32)
        try await settle(tablet, phone)
        #expect(try await phone.rows() == ["interaction lasting"])
        #expect(try await tablet.rows() == phone.rows())
        #expect(world.donationCount == 1)
    }

    @Test func `a device whose clock is right deletes what is past its time in its next round`()
        async throws
    {
        let (world, phone, tablet) = try await pair()
        world.pass(Self.day * 10)
        #expect(try await phone.store.expire().first?.removedCount == 4)
        try await phone.sync()
        #expect(world.donationCount == 1)
        try await tablet.sync()
        #expect(try await tablet.rows() == ["interaction lasting"])
        world.requests = []
        try await settle(phone, tablet)
        world.requests = []
        try await settle(phone, tablet)
        #expect(world.requests.count == 6, "all is at rest")
    }
}
