import Donations
import SQLite

extension StoreCore {
    /// Stores an interaction or an App Intents record.
    func donate(_ donation: Donation) throws(DonationError) -> DonationOutcome {
        guard donation.kind == .interaction || donation.kind == .appIntent else {
            throw DonationError(.invalid, "a \(donation.kind) is not donated this way")
        }
        var row = try donation.normalised()
        row.donatedAt = now
        if let refusal = try refusal(of: row) { return refusal }
        let old = try self.row(row.kind, "identifier", row.identifier)
        try put(row, replacing: old)
        return old == nil ? .stored : .replaced
    }

    // MARK: Activities

    /// Stores an event of an activity, and the activity as it is now.
    ///
    /// - Parameter object: The app's object, for the private key of an activity without a
    ///   persistent identifier; nil: a key that no other event has.
    func store(
        _ activity: Donation, object: UInt64?
    ) throws(DonationError) -> (outcome: DonationOutcome, savedKey: String?) {
        guard activity.kind == .activity else {
            throw DonationError(.invalid, "a \(activity.kind) is no activity")
        }
        var event = try activity.normalised()
        event.donatedAt = now
        if let declared = configuration.activityTypes,
            !declared.contains(where: { $0.isSame(as: event.type) })
        {
            return (try refuse(.refusedActivityType, event), nil)
        }
        if let refusal = try refusal(of: event) { return (refusal, nil) }
        if let related = event.relatedIdentifier,
            try !has(.searchableItem, "identifier", related)
        {
            return (try refuse(.refusedItemMissing, event), nil)
        }
        let key = try savedKey(of: event, object: object)
        event.savedKey = key
        try put(event)
        let old = try row(.savedActivity, "saved_key", key)
        event.kind = .savedActivity
        try put(event, replacing: old)
        return (.stored, key)
    }

    private func savedKey(of event: Donation, object: UInt64?) throws(DonationError) -> String {
        if let identifier = event.persistentIdentifier { return "p:" + identifier }
        if let object, let known = objectKeys[object] { return known }
        let key = "k:\(try next("activity"))"
        if let object { objectKeys[object] = key }
        return key
    }

    /// Makes an activity current, and stores an event of it unless nothing is new (A8).
    func becomeCurrent(
        _ activity: Donation, object: UInt64, isSaved: Bool = true
    ) throws(DonationError) -> DonationOutcome {
        guard isSaved else {
            current = CurrentActivity(object: object, activity: activity, savedKey: nil)
            return .unchanged
        }
        if let current, current.object == object, current.isSame(as: activity),
            try isStored(current)
        {
            return .unchanged
        }
        let (outcome, key) = try store(activity, object: object)
        current = CurrentActivity(object: object, activity: activity, savedKey: key)
        return outcome
    }

    /// Whether what was stored of an activity is still there.
    func isStored(_ activity: CurrentActivity) throws(DonationError) -> Bool {
        guard let key = activity.savedKey else { return false }
        return try has(.savedActivity, "saved_key", key)
    }

    // MARK: Refusing

    /// Whether a row is linked to a restricted container (F60).
    func isRestricted(_ row: Donation) throws(DonationError) -> Bool {
        guard let container = row.link?.container else { return false }
        return try isAny("SELECT 1 FROM restricted WHERE container = ?", .text(container))
    }

    /// The outcome of a row that is linked to what is restricted, or to a zone that was erased on
    /// purpose (by the person in the settings, or by a sweep); nil: it may be stored.
    func refusal(of row: Donation) throws(DonationError) -> DonationOutcome? {
        guard let link = row.link else { return nil }
        if try isRestricted(row) { return try refuse(.refusedRestricted, row) }
        return try StoreSync(self).refusesLink(link) ? try refuse(.refusedErased, row) : nil
    }

    /// Notes a refusal in the log.
    func refuse(_ outcome: DonationOutcome, _ row: Donation) throws(DonationError)
        -> DonationOutcome
    {
        _ = try log(
            row.kind == .searchableItem ? "index" : "donate", kind: row.kind, type: row.type,
            outcome: outcome)
        return outcome
    }
}
