internal import DonationStore

extension CSSearchableIndex {
    /// The activity an app is launched with when an item that was found is opened; nil when the
    /// item is gone meanwhile: a dead link, which must not open anything else. Not in Apple's
    /// interface.
    public func launchActivity(forItem identifier: String) async throws -> NSUserActivity? {
        guard let store = currentStore else { throw CSIndexError.noStore }
        let item: Donation?
        do throws(DonationError) {
            item = try await store.visibleItem(identifier)
        } catch {
            throw CSIndexError(error)
        }
        guard let item, name == nil || item.indexName == name else { return nil }
        let activity = NSUserActivity(activityType: CSSearchableItemActionType)
        activity.title = item.title ?? item.displayName
        activity.userInfo = [CSSearchableItemActivityIdentifier: identifier]
        return activity
    }
}
