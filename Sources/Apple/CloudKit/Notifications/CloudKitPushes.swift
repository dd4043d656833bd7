import CloudModel
public import Foundation

/// The pushes of the user's subscriptions in a container, as an app's delegate is handed them.
///
///     for try await push in CloudKitPushes(of: .default()) {
///         let notification = CKNotification(fromRemoteNotificationDictionary: push.userInfo)
///         …
///     }
///
/// On Apple's systems the device has them; here the service's courier is asked for one after the
/// other, by a device of this process's own. Nothing is kept meanwhile, and what was pushed before
/// the first is asked for is lost: save subscriptions first, begin to listen, then fetch changes
/// once. This type has no counterpart in Apple's framework.
public struct CloudKitPushes: AsyncSequence, Sendable {
    /// One push.
    public struct Push: Sendable {
        /// The push as the service sent it: JSON.
        public let payload: Data
        /// The push's dictionary; empty for what is none.
        public var userInfo: [AnyHashable: Any] {
            do {
                let object = try JSONSerialization.jsonObject(with: payload)
                return object as? [String: Any] ?? [:]
            } catch {
                return [:]
            }
        }
    }

    private let container: CKContainer

    /// The pushes of a container.
    public init(of container: CKContainer) { self.container = container }

    /// A device that listens.
    public func makeAsyncIterator() -> Iterator {
        Iterator(container, SyncClock(ContinuousClock()))
    }

    /// Asks for one push after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let container: CKContainer
        /// nil before the first push was asked for.
        private var courier: String?
        private var polling: CourierPolling

        init(_ container: CKContainer, _ clock: SyncClock) {
            self.container = container
            polling = CourierPolling(clock)
        }

        /// Makes the service know this device, so that no push after this is lost.
        ///
        /// - Throws: ``CKError``: `notAuthenticated`, `serverRejectedRequest` where the service has
        ///   no courier, or that it could not be reached.
        public mutating func connect() async throws { _ = try await address() }

        /// The next push; waits for it, as long as it takes.
        ///
        /// - Throws: ``CKError``: `networkFailure` and its like, after which this can be called
        ///   again, with pushes lost perhaps; `operationCancelled` when the task is cancelled.
        public mutating func next() async throws -> Push? {
            let courier = try await address()
            let place = container.place
            do throws(CKError) {
                let body = try await polling.next { () async throws(CKError) in
                    try await place.poll(courier)
                }
                return Push(payload: Data(body))
            } catch {
                // The service has forgotten the device: it needs a new one.
                if error.code == .notAuthenticated { self.courier = nil }
                throw error
            }
        }

        private mutating func address() async throws(CKError) -> String {
            if let courier { return courier }
            let environment = container.place.isProduction
            let name = makeUniqueName()
            let command = CloudWrite.createToken(
                environment ? .production : .development, clientID: name)
            let reply = try await container.privateCloudDatabase.ask {
                database throws(CloudError) in
                try await database.write(command)
            }
            guard case .pushToken(let token) = reply, let made = token.courierURL else {
                throw CKError(.serverRejectedRequest, "the service offers no pushes")
            }
            courier = made
            return made
        }
    }
}
