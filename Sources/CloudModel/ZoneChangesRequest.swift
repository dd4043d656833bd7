/// One zone of a `changes/zone` request.
package struct ZoneChangesRequest: Sendable, Hashable {
    package var zoneID: RecordZone.ID
    /// nil: from the beginning; empty: caught up.
    package var token: ChangeToken?
    /// Records in a page; the service caps it at 200.
    package var limit: Int?
    package var desiredKeys: [String]?
    package var desiredRecordTypes: [String]?

    package init(
        zoneID: RecordZone.ID, token: ChangeToken? = nil, limit: Int? = nil,
        desiredKeys: [String]? = nil, desiredRecordTypes: [String]? = nil
    ) {
        self.zoneID = zoneID
        self.token = token
        self.limit = limit
        self.desiredKeys = desiredKeys
        self.desiredRecordTypes = desiredRecordTypes
    }
}
