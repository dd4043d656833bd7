/// Pushes on their way out. Nothing of it is part of a turn: what was handed out stays so.
extension MockStore {
    /// The devices with new pushes since this was asked last; one can be named twice.
    package func takeFreshPushTokens() -> [String] { pushes.takeFresh() }

    /// Whether pushes can be waited for with a token.
    package func knows(pushToken: String) -> Bool { pushes.knows(pushToken) }

    /// The first push that waits for a device.
    package func nextPush(for token: String) -> Push? { pushes.queues.next(for: token) }

    /// Notes that a push was handed out; nobody gets it again.
    package func noteDelivery(of push: Push) { pushes.noteDelivery(of: push) }

    /// The devices that get pushes, in the order in which they came.
    package var pushDevices: [PushRegistration] { pushes.registrations }

    /// A device's pushes that are kept, the oldest first, delivered or not.
    package func pushes(for token: String) -> [Push] { pushes.queues.all(for: token) }

    /// Pushes that had to go before anybody fetched them, as there were too many.
    package var lostPushes: Int { pushes.queues.lost }
}
