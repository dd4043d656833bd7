package import CloudModel

/// What a feed would do with a token of its own.
package enum FeedStanding {
    /// The zone is deleted, or the participant does not reach it any more.
    case gone
    case expired(TokenExpiry, end: Int64)
    /// It goes on from there to its end.
    case served(end: Int64)

    /// What ``name`` can be.
    package static let names = ["gone", "expired", "served"]

    /// `gone`, `expired` or `served`.
    package var name: String {
        switch self {
        case .gone: "gone"
        case .expired: "expired"
        case .served: "served"
        }
    }

    /// Where the feed ends now; nil where there is none.
    package var end: Int64? {
        switch self {
        case .gone: nil
        case .expired(_, let end), .served(let end): end
        }
    }

    /// Why it is not served.
    package var expiry: TokenExpiry? { if case .expired(let why, _) = self { why } else { nil } }

    fileprivate init(_ expiry: TokenExpiry?, end: Int64) {
        self = expiry.map { .expired($0, end: end) } ?? .served(end: end)
    }
}

extension MockStore {
    /// How tokens stand in the feeds of zones, without a zone of databases.
    package func standings(
        of tokens: [(FeedToken, key: DatabaseKey, zone: RecordZone.ID?)]
    ) throws(MockStoreError) -> [FeedStanding] {
        try stored { () throws(CloudError) in
            var standings: [FeedStanding] = []
            for (token, key, zone) in tokens {
                standings.append(try standing(of: token, key, zone))
            }
            return standings
        }
    }

    /// How a token stands in the feed of a zone, or without one of a database.
    func standing(
        of token: FeedToken, _ key: DatabaseKey, _ zone: RecordZone.ID?
    ) throws(CloudError) -> FeedStanding {
        let database = try databases.state(key)
        guard let zone else {
            return FeedStanding(
                try histories.expiry(of: token, in: database), end: database.seq)
        }
        let row: ZoneRow
        do throws(CloudError) {
            row = try zones.find(zone, sessions.service(database))
        } catch {
            try context.tables.rethrowFailure(error)
            return .gone
        }
        return FeedStanding(try histories.expiry(of: token, in: row), end: row.seq)
    }
}
