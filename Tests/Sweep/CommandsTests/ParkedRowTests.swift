import CommandLine
import CommandWorld
import Commands
import DonationStore
import DonationSync
import Donations
import Foundation
import Testing

/// R15: what came from another device and waits for its item is shown by no verb, and counted by
/// those that say what is left.
@Suite(.timeLimit(.minutes(30)))
struct ParkedRowTests {
    private static let application = "com.example.app"
    private let world: TestWorld

    init() throws { world = try TestWorld() }

    private func donations(
        _ words: String...
    ) async -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        var environment = world.environment()
        environment.output = output
        environment.errors = errors
        let place = ["--app", Self.application, "--store", "\(world.folder)/store"]
        let code = await Dispatcher.run(["donations"] + words + place, in: environment).code
        return (code, output.text, errors.text)
    }

    /// An activity that waits for an item, its event, and an interaction that waits for nothing.
    private func fill() async throws {
        let store = try DonationStore(
            configuration: DonationConfiguration(
                bundleIdentifier: Self.application, directory: "\(world.folder)/store",
                clock: .fixed(TestWorld.moment)))
        let moment = TestWorld.moment
        try await store.sync { sync throws(DonationError) in
            for kind in [DonationKind.activity, .savedActivity] {
                var row = Donation(kind, type: "com.example.view", at: moment)
                row.persistentIdentifier = "view"
                row.savedKey = "p:view"
                row.relatedIdentifier = "item"
                row.title = "Wilhelmina"
                try sync.putRow(SyncedRow(row, recordName: "d-\(kind)", isParked: true))
            }
        }
        let call = Donation(.interaction, identifier: "call", type: "Call", at: moment)
        _ = try await store.donate([call])
        await store.flushAndClose()
    }

    @Test func `what waits for its item is not shown, and what is left tells of it`() async throws {
        try await fill()
        let list = await donations("list")
        #expect(list.code == 0 && list.output.contains("call"))
        #expect(!list.output.contains("Wilhelmina") && list.errors.hasPrefix("1 shown"))

        let left = await donations("remaining")
        #expect(left.output == "LEFT: 1 interaction, 1 activity event, 1 saved activity\n")
        let audit = await donations("audit")
        #expect(audit.output.contains("waitingForItem: 2: rows of activities from other devices"))

        let piped = await donations("export")
        #expect(piped.output.contains("\"call\"") && !piped.output.contains("Wilhelmina"))
        #expect(piped.errors.hasPrefix("2 rows from other devices left out: the item that they"))
        let file = await donations("export", "--output", "\(world.folder)/all.json", "--json")
        #expect(file.output.contains("\"counts\":{\"interaction\":1},\"waiting\":2"), "\(file)")
    }
}
