/// What is known of a zone.
package enum SyncZoneStatus: Sendable, Hashable {
    /// Never seen alive. The only state from which a zone may be created.
    case unknown
    /// There, as far as the feeds say.
    case live
    /// Not there any more.
    case gone(SyncGoneReason)
    /// Not found although the database's feed does not say it is gone: nothing is deleted for it
    /// and nothing is sent to it.
    case unclear
}

extension SyncZoneStatus: RawRepresentable {
    /// The status written as ``rawValue``.
    package init?(rawValue: String) {
        let all = [.unknown, .live, .unclear] + SyncGoneReason.allCases.map { Self.gone($0) }
        guard let status = all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = status
    }

    /// One word, to store.
    package var rawValue: String {
        switch self {
        case .unknown: "unknown"
        case .live: "live"
        case .unclear: "unclear"
        case .gone(let reason): reason.rawValue
        }
    }
}
