import AsyncOperations
import Basics
import CloudModel
import DonationStore
import Foundation
import InProcessMock
import Intents
import MockStore
import SyncEngine
import Testing

/// Interactions that are linked to content in a cloud container.
@Suite struct LinkDeletionTests {
    private static let container = Container.ID("iCloud.com.example.shop")!
    private static let address = Database.Address(
        container: container, environment: .development, scope: .private)
    private static let zone = RecordZone.ID("Orders")
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)
    private let cloud: MockCloud

    init() throws {
        cloud = try MockCloud(clock: .fixed(Self.now), users: ["ann"])
        try send(.modifyZones([.create(Self.zone)]))
    }

    /// What another device of the user does.
    private func send(_ write: CloudWrite) throws {
        _ = try cloud.perform(.write(write), at: Self.address, by: .user("ann"))
    }

    private func send(_ operations: [RecordOperation]) throws {
        try send(.modifyRecords(RecordModifyRequest(operations: operations, zoneID: Self.zone)))
    }

    /// An interaction about a record, the zone or the whole container.
    private func donate(_ name: String, zone: String? = nil, record: String? = nil) async throws {
        let interaction = message(name)
        interaction.contentLink = ContentLink(
            container: Self.container.rawValue, scope: zone == nil ? nil : "private", zone: zone,
            record: record)
        try await interaction.donate()
    }

    /// Syncs as `cksweep sync` does.
    private func sync(_ app: ShopApp, _ folder: String) async {
        let request = SyncRequest(
            application: "com.example.shop", environment: .development,
            containers: [Self.container], defaultContainer: nil, scopes: [.private])
        let world = SyncWorld(
            donations: app.store, stateFolder: folder, clock: ContinuousClock(),
            wallClock: .fixed(Self.now))
        let cloud = cloud
        let outcome = await DonationSyncer(request, in: world).run(
            content: { ReadOnlyDatabase(cloud.database(at: $0, user: "ann")) },
            exchange: { ExchangeWriter(cloud.database(at: $0, user: "ann")) })
        #expect(outcome.status == .done, "\(outcome.explanation)")
    }

    @Test func `a sync deletes the interactions that are linked to deleted content`() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("links-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let app = try ShopApp()
        try send(["soup", "tea"].map { .init(.create, recordName: $0, recordType: "Order") })
        try await app.run {
            try await donate("about soup", zone: "Orders", record: "soup")
            try await donate("about tea", zone: "Orders", record: "tea")
            try await donate("about the zone", zone: "Orders")
            try await donate("about the container")
            try await message("about nothing").donate()
        }
        await sync(app, folder.path)
        #expect(try await app.identifiers().count == 5)
        try send([.forceDelete("soup")])
        await sync(app, folder.path)
        let left = ["about nothing", "about tea", "about the container", "about the zone"]
        #expect(try await app.identifiers() == left)
        try send(.modifyZones([.delete(Self.zone)]))
        await sync(app, folder.path)
        #expect(try await app.identifiers() == ["about nothing", "about the container"])
    }

    @Test func `a copy is linked to the same content, and a link can be removed`() {
        let interaction = message("a")
        #expect(interaction.contentLink == nil)
        let link = ContentLink(container: Self.container.rawValue, zone: "Orders", record: "soup")
        interaction.contentLink = link
        #expect((interaction.copy() as? INInteraction)?.contentLink == link)
        interaction.contentLink = nil
        #expect(interaction.contentLink == nil)
    }
}
