// What users were once asked for. Apple withdrew it with looking users up, and grants nothing.
extension CKContainer {
    /// What an app can ask its users for. Apple calls it deprecated.
    public struct ApplicationPermissions: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// The permissions of some bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// That other users of the app find the user.
        public static let userDiscoverability = ApplicationPermissions(rawValue: 1)
    }

    /// What the user answered. Apple calls it deprecated.
    public enum ApplicationPermissionStatus: Int, Sendable {
        /// Nobody has asked yet.
        case initialState = 0
        /// Nobody could ask.
        case couldNotComplete = 1
        /// The user does not want it.
        case denied = 2
        /// The user does not mind.
        case granted = 3
    }

    /// Is told what the user answered.
    public typealias ApplicationPermissionBlock =
        @Sendable (ApplicationPermissionStatus, (any Error)?) -> Void

    /// What the user has answered: `denied`, since there is nobody to ask.
    public func applicationPermissionStatus(
        for applicationPermission: ApplicationPermissions
    ) async throws -> ApplicationPermissionStatus { .denied }

    /// Asks the user: `denied`, since there is nobody to ask.
    public func requestApplicationPermission(
        _ applicationPermission: ApplicationPermissions
    ) async throws -> ApplicationPermissionStatus { .denied }

    /// What the user has answered: `denied`, since there is nobody to ask.
    @preconcurrency public func status(
        forApplicationPermission applicationPermission: ApplicationPermissions,
        completionHandler: @escaping ApplicationPermissionBlock
    ) {
        answer(completionHandler) { [self] in
            try await applicationPermissionStatus(for: applicationPermission)
        }
    }

    /// Asks the user: `denied`, since there is nobody to ask.
    @preconcurrency public func requestApplicationPermission(
        _ applicationPermission: ApplicationPermissions,
        completionHandler: @escaping ApplicationPermissionBlock
    ) {
        answer(completionHandler) { [self] in
            try await requestApplicationPermission(applicationPermission)
        }
    }

    private func answer(
        _ done: @escaping ApplicationPermissionBlock,
        _ work: @escaping @Sendable () async throws -> ApplicationPermissionStatus
    ) {
        privateCloudDatabase.enqueueResult(
            { (result: Result<ApplicationPermissionStatus, any Error>) in
                switch result {
                case .success(let status): done(status, nil)
                case .failure(let error): done(.couldNotComplete, error)
                }
            },
            { _ in try await work() })
    }
}
