/// The answer to a ``CloudCommand`` that was carried out.
///
/// Items come in the order of the request, one for each. A failure of the whole request is a
/// ``CloudError``, thrown.
package enum CloudReply: Sendable, Hashable {
    case zonePage(ZonePage)
    case zones([RecordZone.Item])
    case zoneChanges([ZoneChangesItem])
    case recordPage(RecordPage)
    case recordPages([RecordPage.Item])
    case records(RecordsReply)
    case shares([ShareMetadata.Item])
    case subscriptions([Subscription.Item])
    case assetUploads([AssetUploadRequest.Item])
    case assets([AssetRereferenceRequest.Item])
    case user(UserIdentity)
    case users([UserIdentity.Item])
    case pushToken(PushToken)
    case done
}

/// A page of zones: the answer to `zones/list`, `zones/changes` and `changes/database`.
package struct ZonePage: Sendable, Hashable {
    package var zones: [RecordZone.Item]
    /// Where to go on; absent where the service does not page.
    package var token: ChangeToken?
    package var moreComing: Bool

    package init(zones: [RecordZone.Item], token: ChangeToken?, moreComing: Bool) {
        self.zones = zones
        self.token = token
        self.moreComing = moreComing
    }
}

/// One zone of the answer to `changes/zone`.
package enum ZoneChangesItem: Sendable, Hashable {
    case page(ZoneChangesPage)
    case failure(RecordZone.ID, CloudError)
}

/// A page of the changes of one zone.
package struct ZoneChangesPage: Sendable, Hashable {
    package var zoneID: RecordZone.ID
    package var records: [Record.Item]
    package var token: ChangeToken
    /// An empty page with more coming is not the end.
    package var moreComing: Bool

    package init(
        zoneID: RecordZone.ID, records: [Record.Item], token: ChangeToken, moreComing: Bool
    ) {
        self.zoneID = zoneID
        self.records = records
        self.token = token
        self.moreComing = moreComing
    }
}

/// A page of a query's result.
package struct RecordPage: Sendable, Hashable {
    package var records: [Record.Item]
    /// Present when there is more, even when this page is empty.
    package var continuationMarker: String?
    package var token: ChangeToken?

    package init(
        records: [Record.Item], continuationMarker: String? = nil, token: ChangeToken? = nil
    ) {
        self.records = records
        self.continuationMarker = continuationMarker
        self.token = token
    }

    /// The answer to one of several queries.
    package enum Item: Sendable, Hashable {
        case page(RecordPage)
        case failure(CloudError)
    }
}

/// The answer to `records/modify` and `records/lookup`.
package struct RecordsReply: Sendable, Hashable {
    package var records: [Record.Item]
    package var token: ChangeToken?
    /// Whether the failure of an atomic batch is told as one of the whole request, which older
    /// clients expect. In both ways the culprit has its own error, the others `ATOMIC_ERROR`, and
    /// nothing was stored.
    package var failedAtomically: Bool

    package init(
        records: [Record.Item], token: ChangeToken? = nil, failedAtomically: Bool = false
    ) {
        self.records = records
        self.token = token
        self.failedAtomically = failedAtomically
    }
}

/// An opaque position in a change feed. Mirrors `CKServerChangeToken`.
///
/// An absent token means "from the beginning"; the **empty** token means "caught up". Compare
/// tokens for equality only.
package struct ChangeToken: Sendable, Hashable {
    /// Base64 text as the service sent it.
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}
