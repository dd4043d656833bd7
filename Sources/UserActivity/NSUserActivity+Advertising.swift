package import DonationStore
internal import Foundation

extension NSUserActivity {
    /// The activity that is current in `store` and may be used by others now: not expired, and
    /// nothing of it deleted since it became current (D14, D16).
    package static func advertised(in store: DonationStore) async -> NSUserActivity? {
        guard let activity = CurrentActivities.shared.current(in: store),
            let object = try? await store.currentObject()
        else { return nil }
        guard object == activity.number else {
            return nil
        }
        if let date = activity.expirationDate, date <= store.configuration.now() { return nil }
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
