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

    var accounts: AccountWatch { way.accounts }

    /// The user's newest web auth token.
    func webAuthToken(for apiToken: String?) throws(CKError) -> String {
        try way.webAuthToken(of: given, for: apiToken)
    }
}
