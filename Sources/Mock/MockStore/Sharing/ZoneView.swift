import CloudModel

/// What one participant sees of one owner's zone: all that was shared with them there.
package struct ZoneView: Hashable {
    /// Larger than that of any zone, share or view before; the participant's tokens are tied to it.
    var number: Int64
    /// The owner's private database.
    let owner: DatabaseKey
    let zoneName: String
    /// What the zone keeps its records under.
    let incarnation: Int64
    /// The participant's account.
    let user: String
    /// The shares that were accepted.
    var shares: [Int64: Participation] = [:]
    /// Whether the zone is shared as a whole.
    var isWhole = false

    /// Whether a place is in one of the feeds that the view is made of, which leave out what had left a
    /// hierarchy before the participant came: it was never theirs.
    func tells(of place: HierarchyTable.Place) -> Bool {
        guard let share = shares[place.feed] else { return place.feed == number }
        return place.tag == nil || place.seq > share.since
    }

    /// The shared database that shows the zone.
    var participant: DatabaseKey {
        DatabaseKey(address: owner.address.inScope(.shared), user: user)
    }
}

/// That somebody has accepted a share.
struct Participation: Hashable {
    var writes: Bool
    /// The newest place of the zone's feed when they did.
    let since: Int64
}

/// How a session reaches a zone.
package enum ZoneAccess: Hashable {
    /// As its owner, or as the service does: everything.
    case owner
    /// As a participant: what the shares of a view have.
    case participant(ZoneView)

    var view: ZoneView? { if case .participant(let view) = self { view } else { nil } }

    /// The view of who sees some hierarchies of a zone only.
    var partialView: ZoneView? {
        guard let view, !view.isWhole else { return nil }
        return view
    }
}

extension RecordZone.ID {
    /// What a zone of another owner is called in the tables; owners' names hold no slash.
    var sharedRowName: String { zoneName + "/" + (ownerRecordName ?? "") }

    /// Reads ``sharedRowName``.
    init(sharedRow name: String) {
        guard let slash = name.lastIndex(of: "/") else {
            self.init(name)
            return
        }
        self.init(
            String(name[..<slash]), ownerRecordName: String(name[name.index(after: slash)...]))
    }
}
