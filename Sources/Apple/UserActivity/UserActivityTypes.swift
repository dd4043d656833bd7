internal import DonationStore

/// The activity types that the app of the current store declares.
enum UserActivityTypes {
    /// The first declared type, which `init()` takes.
    static var first: String? { DonationStore.current?.configuration.firstActivityType }
}
