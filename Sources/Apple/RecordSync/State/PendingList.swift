/// Changes in the order of their first addition, one for each thing.
///
/// Adding a change that is there does nothing; adding the opposite one replaces it where it
/// stands. Each call takes constant time for each change, but for ``putBack(_:)``.
package struct PendingList<Change: PendingChange>: Sendable {
    /// In order; nil where one was removed.
    private var slots: [Change?] = []
    private var places: [Change.ID: Int] = [:]

    package init() {}

    package var isEmpty: Bool { places.isEmpty }
    package var count: Int { places.count }
    package var changes: [Change] { slots.compactMap { $0 } }

    package func contains(_ change: Change) -> Bool {
        places[change.id].map { slots[$0] == change } ?? false
    }

    /// - Returns: Whether the list is another than before.
    @discardableResult
    package mutating func add(_ change: Change) -> Bool {
        if let place = places[change.id] {
            guard slots[place] != change else { return false }
            slots[place] = change
            return true
        }
        places[change.id] = slots.count
        slots.append(change)
        return true
    }

    /// Removes a change; the opposite one stays.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    package mutating func remove(_ change: Change) -> Bool {
        guard contains(change), let place = places.removeValue(forKey: change.id) else {
            return false
        }
        slots[place] = nil
        if slots.count > 64, places.count < slots.count / 2 { compact() }
        return true
    }

    package mutating func removeAll(where isMeant: (Change) -> Bool) {
        self = Self(changes.filter { !isMeant($0) })
    }

    /// Puts changes that were taken out to be sent back before the others; what was added for the
    /// same thing meanwhile is newer, and stays.
    package mutating func putBack(_ returned: [Change]) {
        guard !returned.isEmpty else { return }
        self = Self(changes(withBack: returned))
    }

    /// What ``changes`` would be after ``putBack(_:)``.
    package func changes(withBack returned: [Change]) -> [Change] {
        returned.filter { places[$0.id] == nil } + changes
    }

    package init(_ changes: [Change]) {
        slots.reserveCapacity(changes.count)
        for change in changes { add(change) }
    }

    private mutating func compact() { self = Self(changes) }
}
