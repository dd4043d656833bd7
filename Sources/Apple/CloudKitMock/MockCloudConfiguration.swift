/// What a mock cloud begins with.
public struct MockCloudConfiguration: Sendable {
    /// The containers there are; the first is the default one. Requests for others fail.
    public var containers: [String]
    /// The accounts; the first is the default of containers.
    public var accounts: [String]

    /// Containers and accounts, at least one of each.
    public init(
        containers: [String] = ["iCloud.com.example.app"], accounts: [String] = ["ann", "bob"]
    ) {
        self.containers = containers
        self.accounts = accounts
    }
}
