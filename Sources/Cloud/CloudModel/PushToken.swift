/// Where the service sends a device's pushes.
package struct PushToken: Sendable, Hashable {
    /// Which of the push services; has nothing to do with a container's environment.
    package enum Environment: String, Sendable, CaseIterable {
        case development
        case production
    }

    package var environment: Environment
    /// Base64, as clients decode it on receipt.
    package var token: String
    /// Where pushes can be waited for, one in each answer; only of a token that was just made.
    package var courierURL: String?

    package init(_ token: String, _ environment: Environment, courierURL: String? = nil) {
        self.token = token
        self.environment = environment
        self.courierURL = courierURL
    }
}
