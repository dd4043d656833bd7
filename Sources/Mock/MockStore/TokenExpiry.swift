import CloudModel

/// Why a feed does not go on from a token that was made for it.
package enum TokenExpiry: String, CaseIterable {
    /// The zone was deleted and made again, or what a participant sees of it was.
    case recreated
    /// Deletions after its place are forgotten.
    case forgotten
    /// It has seen what a restore has undone.
    case undone
}

extension Histories {
    /// Why a token of a zone's feed is not served; nil when it is.
    func expiry(of token: FeedToken, in row: ZoneRow) throws(CloudError) -> TokenExpiry? {
        guard token.incarnation == row.feed else { return .recreated }
        return try expiry(of: token, at: row.feed, from: row.floor, upTo: row.seq)
    }

    /// Why a token of a database's feed is not served; nil when it is.
    func expiry(of token: FeedToken, in database: DatabaseState) throws(CloudError) -> TokenExpiry?
    {
        try expiry(of: token, at: -database.id, from: database.floor, upTo: database.seq)
    }

    private func expiry(
        of token: FeedToken, at place: Int64, from floor: Int64, upTo end: Int64
    ) throws(CloudError) -> TokenExpiry? {
        let reached = max(token.sequence, token.scanStart ?? 0)
        guard reached >= floor else { return .forgotten }
        guard token.sequence >= 0, token.sequence <= end,
            try includes(token.epoch, place: place, upTo: reached)
        else { return .undone }
        return nil
    }
}
