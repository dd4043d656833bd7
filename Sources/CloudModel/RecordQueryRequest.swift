/// A `records/query` request.
package struct RecordQueryRequest: Sendable, Hashable {
    package var query: Query
    /// nil: the default zone, unless `zoneWide`.
    package var zoneID: RecordZone.ID?
    package var zoneWide: Bool
    /// Records in a page; the service caps it at 200.
    package var limit: Int?
    package var continuationMarker: String?
    /// nil: all fields; empty: system fields only.
    package var desiredKeys: [String]?

    package init(
        query: Query, zoneID: RecordZone.ID? = nil, zoneWide: Bool = false, limit: Int? = nil,
        continuationMarker: String? = nil, desiredKeys: [String]? = nil
    ) {
        self.query = query
        self.zoneID = zoneID
        self.zoneWide = zoneWide
        self.limit = limit
        self.continuationMarker = continuationMarker
        self.desiredKeys = desiredKeys
    }
}
