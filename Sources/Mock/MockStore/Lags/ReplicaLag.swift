import Basics

/// A second region, which learns of changes some time later: the feeds that its devices read end where they
/// ended then. Who comes with a token of the first region is given an earlier one there.
struct ReplicaLag {
    /// A change of a feed that the replica may not have yet.
    private struct Move {
        let time: Timestamp
        /// Where the feed ended before it.
        let before: Int64
    }

    /// Feeds that changes are kept of; the replica has others at once.
    static let feedsMax = 10_000
    /// Changes kept of one feed; where there are more, the replica has the oldest sooner.
    static let movesMax = 256
    /// Devices that the replica can serve.
    static let devicesMax = 10_000

    /// A user, and one of their devices or nil for what has none.
    private struct Device: Hashable {
        let user: String
        let device: String?
    }

    private var devices: Set<Device> = []
    /// By the incarnation of a zone, or the number of a database negated.
    private var moves: [Int64: [Move]] = [:]

    /// Has a device served by the replica, or by the first region again.
    ///
    /// - Returns: Whether that is new; nil where there are too many.
    mutating func set(_ isServed: Bool, _ user: String, _ device: String?) -> Bool? {
        let key = Device(user: user, device: device)
        guard isServed else { return devices.remove(key) != nil }
        guard devices.contains(key) || devices.count < Self.devicesMax else { return nil }
        return devices.insert(key).inserted
    }

    /// Whether the replica answers this caller.
    func serves(_ caller: Caller) -> Bool {
        guard !devices.isEmpty, case .user(let user, let device) = caller else { return false }
        return devices.contains(Device(user: user, device: device))
    }

    /// Takes note of a change of a feed.
    mutating func note(_ feed: Int64, before: Int64, now: Timestamp, lag: Duration) {
        guard lag > .zero, moves[feed] != nil || moves.count < Self.feedsMax else { return }
        let known = now.advanced(by: .zero - lag)
        var list = moves[feed] ?? []
        list.removeAll { $0.time <= known }
        if list.last?.time != now { list.append(Move(time: now, before: before)) }
        if list.count > Self.movesMax { list.removeFirst() }
        moves[feed] = list
    }

    /// Where a feed ends in the replica; nil: where it does in the first region.
    func end(of feed: Int64, now: Timestamp, lag: Duration) -> Int64? {
        let known = now.advanced(by: .zero - lag)
        return moves[feed]?.first { $0.time > known }?.before
    }

    /// Forgets what has changed, but not whom the replica serves.
    mutating func forgetChanges() { moves = [:] }
}
