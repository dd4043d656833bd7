/// What one user has in one database of the mock server.
struct DemoStorage: Sendable, Hashable {
    let user: String
    let container: String
    let scope: String
    var zones = 0
    var records = 0
    var subscriptions = 0
    /// All of it, to compare.
    var content: [String] = []

    var isEmpty: Bool {
        zones == 0 && records == 0 && subscriptions == 0 && content.isEmpty
    }
}
