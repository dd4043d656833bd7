package import DonationStore
internal import Donations
internal import Foundation

extension NSUserActivity {
    /// The activity that is current in `store` and may be used by others now: not expired, nothing
    /// of it deleted since it became current, and its content not restricted (D14, D16, F60).
    package static func advertised(in store: DonationStore) async -> NSUserActivity? {
        guard let activity = CurrentActivities.shared.current(in: store),
            let object = try? await store.currentObject()
        else { return nil }
        // An activity that was invalidated on another thread meanwhile is not offered.
        guard object == activity.number, activity.read(\.lifeCycle.phase) == .current else {
            return nil
        }
        if let date = activity.expirationDate, date <= store.configuration.now() { return nil }
        if let link = activity.contentLink {
            guard let restricted = try? await store.restrictedContainers(),
                !restricted.contains(where: { $0.isSame(as: link.container) })
            else { return nil }
        }
        return activity
    }

    /// The address that "share this" falls back to: the ``webpageURL`` of the app's current
    /// activity.
    ///
    /// Apple asks an app's own sharing configuration first; there are no views here to have one.
    /// Not in Apple's interface.
    public static func shareFallbackURL() async -> URL? {
        guard let store = DonationStore.current else { return nil }
        return await advertised(in: store)?.webpageURL
    }
}
