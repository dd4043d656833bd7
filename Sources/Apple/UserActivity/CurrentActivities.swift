internal import AsyncOperations
internal import DonationStore

/// Which object is current in each store; none is kept alive, as Apple's are not.
final class CurrentActivities: Sendable {
    static let shared = CurrentActivities()

    /// Unchecked: a weak reference is only loaded and stored, which any thread may.
    private struct Entry: @unchecked Sendable {
        weak var activity: NSUserActivity?
        weak var store: DonationStore?
        let number: UInt64
    }

    private struct Table: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        var lastNumber: UInt64 = 0
    }

    private let table = Locked(Table())

    /// A number that no other activity of this process has.
    func nextNumber() -> UInt64 {
        table.withLock { table in
            table.lastNumber += 1
            return table.lastNumber
        }
    }

    /// Makes `activity` the current one of `store`, and tells the former one.
    func makeCurrent(_ activity: NSUserActivity, in store: DonationStore) {
        let former = table.withLock { table in
            table.entries = table.entries.filter { $0.value.store != nil }
            let key = ObjectIdentifier(store)
            defer {
                table.entries[key] = Entry(
                    activity: activity, store: store, number: activity.number)
            }
            return table.entries[key]?.activity
        }
        if let former, former !== activity {
            _ = former.change { $0.lifeCycle.receive(.otherBecomesCurrent) }
        }
    }

    /// Takes the activity with this number away, if it is current in `store`.
    func withdraw(_ number: UInt64, from store: DonationStore) {
        table.withLock { table in
            let key = ObjectIdentifier(store)
            if table.entries[key]?.number == number { table.entries[key] = nil }
        }
    }

    /// The current activity of `store`, whatever became of what was stored of it.
    func current(in store: DonationStore) -> NSUserActivity? {
        table.withLock { table in
            guard let entry = table.entries[ObjectIdentifier(store)], entry.store === store else {
                return nil
            }
            return entry.activity
        }
    }
}
