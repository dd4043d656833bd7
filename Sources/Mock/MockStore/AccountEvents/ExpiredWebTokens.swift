import CloudModel

/// Which web tokens were taken back before their time: those with a number up to one, as numbers grow.
final class ExpiredWebTokens: StorePart {
    /// Stands for all devices, and for what is none; no device has this name.
    private static let everywhere = "*"

    private let context: StoreContext
    /// By user, then by device.
    private var last: [String: [String: Int64]] = [:]

    init(_ context: StoreContext) { self.context = context }

    func reload() throws(CloudError) {
        let rows = try context.tables.rows("SELECT user, device, number FROM expired_web_tokens") {
            (user: $0.text(at: 0), device: $0.text(at: 1), number: $0.int64(at: 2))
        }
        last = rows.reduce(into: [:]) { $0[$1.user, default: [:]][$1.device] = $1.number }
    }

    /// Whether a token was taken back.
    func contains(_ number: Int64, of user: String, on device: String?) -> Bool {
        guard let last = last[user] else { return false }
        if let all = last[Self.everywhere], number <= all { return true }
        guard let device, let own = last[device] else { return false }
        return number <= own
    }

    /// Takes back the tokens of a user that were given out so far.
    ///
    /// - Parameters:
    ///   - device: Only those of this device.
    ///   - number: That of the newest token.
    func expire(_ user: String, on device: String?, upTo number: Int64) throws(CloudError) {
        let device = device ?? Self.everywhere
        try context.tables.beginIfNeeded()
        try context.tables.run(
            "INSERT OR REPLACE INTO expired_web_tokens VALUES (?, ?, ?)", user, device, number)
        last[user, default: [:]][device] = number
    }
}
