import Basics
import CloudCourier
import CloudModel
import DonationStore
import Donations
import Foundation
import MockStore
import SyncEngine

/// Devices of one person, each with a donation store in a folder of its own, beside a cloud.
struct SyncBench {
    let bench: Bench
    let container: Container.ID

    init() throws {
        bench = try Bench()
        container = try SweepEngineTests.container("one")
    }

    var address: Database.Address { SweepEngineTests.address(container) }
    var zone: RecordZone.ID { DonationSyncer.donationZone(of: Self.application) }
    static let application = "com.example.app"

    func folder(_ device: String) -> String { bench.folder + "/" + device }

    func store(
        _ device: String, hook: StoreHook? = nil
    ) throws -> DonationStore {
        var configuration = DonationConfiguration(
            bundleIdentifier: Self.application, directory: folder(device) + "/donations",
            clock: .fixed(Bench.now))
        configuration.isDurable = false
        configuration.hook = hook
        return try DonationStore(configuration: configuration)
    }

    func world(
        _ device: String, _ store: DonationStore, at moment: Timestamp = Bench.now,
        stop: StopSignal = StopSignal()
    ) -> SyncWorld {
        SyncWorld(
            donations: store, stateFolder: folder(device), clock: bench.clock,
            wallClock: .fixed(moment), stop: stop)
    }

    func request(_ change: (inout SyncRequest) -> Void = { _ in }) -> SyncRequest {
        var request = SyncRequest(
            application: Self.application, environment: .development, containers: [container],
            defaultContainer: container, scopes: [.private])
        change(&request)
        return request
    }

    /// Syncs a device once.
    func sync(
        _ world: SyncWorld, _ tape: Tape = Tape(), user: String = "ada",
        _ change: (inout SyncRequest) -> Void = { _ in }
    ) async -> SyncOutcome {
        let databases = bench.databases(tape, user: user)
        return await DonationSyncer(request(change), in: world).run(
            content: bench.readable(tape, user: user),
            exchange: { ExchangeWriter(databases($0)) })
    }

    /// Opens a device's store, does something with it, and closes it.
    func with<Value>(
        _ device: String, _ body: (DonationStore) async throws -> Value
    ) async throws -> Value {
        let store = try store(device)
        do {
            let value = try await body(store)
            await store.flushAndClose()
            return value
        } catch {
            await store.flushAndClose()
            throw error
        }
    }

    /// Syncs a device's store as it lies in its folder.
    @discardableResult
    func sync(_ device: String, _ tape: Tape = Tape()) async throws -> SyncOutcome {
        try await with(device) { await sync(world(device, $0), tape) }
    }

    func enable(_ device: String) async throws {
        try await with(device) { store in
            try await DonationSyncer(request(), in: world(device, store))
                .setExchange(true, includesItems: true)
        }
    }

    func donate(_ device: String, _ names: String..., about record: String? = nil) async throws {
        let rows = names.map { name in
            var row = Donation(.interaction, identifier: name, type: "Call", at: Bench.now)
            row.link = record.map {
                ContentLink(container, .private, zone: RecordZone.ID("Notes"), record: $0)
            }
            return row
        }
        _ = try await with(device) { try await $0.donate(rows) }
    }

    func names(_ device: String) async throws -> [String] {
        try await with(device) { try await $0.list(.interaction).map(\.identifier).sorted() }
    }

    func delete(_ record: String) throws {
        try bench.perform(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [.forceDelete(record)], zoneID: RecordZone.ID("Notes")))),
            at: address)
    }
}
