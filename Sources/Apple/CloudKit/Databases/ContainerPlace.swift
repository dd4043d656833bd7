import CloudModel

/// Which container, over which connection.
struct ContainerPlace: Sendable {
    /// nil: the default container, whichever that is by then.
    let given: String?
    /// nil: the process's own, whichever that is by then.
    let connection: CloudConnection?

    private var way: CloudConnection { connection ?? .processWide }

    var identifier: String? { given ?? way.defaultContainer }

    func database(_ scope: CKDatabase.Scope) throws(CKError) -> any CloudDatabase {
        try way.database(of: given, scope: scope.model)
    }

    /// How the bytes of assets get to the service and back; nil: not at all.
    var assets: AssetWay? { way.assets }

    /// Where long-lived operations are kept; nil: nowhere.
    var longLivedFolder: LongLivedFolder? { way.longLivedFolder(of: given) }

    var accounts: AccountWatch { way.accounts }

    /// Whether the connection leads to released apps' data.
    var isProduction: Bool { way.isProduction }

    /// Whether pushes can be waited for.
    var hasCourier: Bool { way.hasCourier }

    /// Waits at a courier's address for a push; empty: there is none for now.
    func poll(_ courier: String) async throws(CKError) -> [UInt8] { try await way.poll(courier) }

    /// The user's newest web auth token.
    func webAuthToken(for apiToken: String?) throws(CKError) -> String {
        try way.webAuthToken(of: given, for: apiToken)
    }
}
