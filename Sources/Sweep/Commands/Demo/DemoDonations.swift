import Basics
import CommandLine
import DonationStore
import Donations

/// What Ann's app told Siri and Spotlight, in the store that the sweep finds by the list's
/// application.
struct DemoDonations: Sendable {
    private let store: DonationStore

    /// Makes the store in the demonstration's state folder.
    init(stateFolder: String, clock: WallClock) throws(CommandFailure) {
        do throws(DonationError) {
            store = try DonationStore(
                configuration: DonationConfiguration(
                    bundleIdentifier: DemoScript.application,
                    directory: "\(stateFolder)/donations/\(DemoScript.application)",
                    clock: clock))
        } catch {
            throw CommandFailure(.internalError, error.reason)
        }
    }

    /// How many are linked to the containers that are swept, and how many to another one.
    struct Count: Sendable, Hashable {
        var swept: Int
        var others: Int
    }

    /// Donates: a message sent, a note that can be searched, two looks at it; and an order that
    /// belongs to a container nobody sweeps.
    func donate(at now: Timestamp) async throws(CommandFailure) {
        func link(_ container: String, _ zone: String, _ record: String) -> ContentLink {
            ContentLink(container: container, scope: "private", zone: zone, record: record)
        }
        let app = DemoScript.containers[0].id
        var message = Donation(.interaction, identifier: "message-1", type: "SendMessage", at: now)
        message.group = "conversation-1"
        message.mentions = ["Bob"]
        message.link = link(app, "Notes", "note-1")
        var order = Donation(.interaction, identifier: "order-1", type: "OrderSoup", at: now)
        order.link = link(DemoScript.otherContainer, "Orders", "order-1")
        var item = Donation(.searchableItem, identifier: "note-1", type: "public.text", at: now)
        item.title = "Travel plans"
        item.link = link(app, "Notes", "note-1")
        do throws(DonationError) {
            _ = try await store.donate([message, order])
            _ = try await store.index([(item: item, write: .replace)])
            for (name, record) in [("view-note-1", "note-1"), ("view-device-1", "device-1")] {
                var view = Donation(.activity, type: "com.example.myexampleapp.view", at: now)
                view.persistentIdentifier = name
                view.title = "View"
                view.eligibility = [.search, .prediction]
                if record == "note-1" { view.relatedIdentifier = "note-1" }
                view.link =
                    record == "note-1"
                    ? link(app, "Notes", record)
                    : link(DemoScript.containers[2].id, "Devices", record)
                _ = try await store.donateActivity(view)
            }
            try await store.flush()
        } catch {
            throw CommandFailure(.internalError, error.reason)
        }
    }

    /// Looks at what is there.
    func count() async throws(CommandFailure) -> Count {
        do throws(DonationError) {
            var count = Count(swept: 0, others: 0)
            for container in DemoScript.containers {
                for zone in try await store.linkedZones(of: container.id) {
                    count.swept += zone.rows
                }
            }
            for zone in try await store.linkedZones(of: DemoScript.otherContainer) {
                count.others += zone.rows
            }
            return count
        } catch {
            throw CommandFailure(.internalError, error.reason)
        }
    }

    /// Lets go of the file.
    func close() async { await store.flushAndClose() }
}
