/// A `records/lookup` request.
package struct RecordLookupRequest: Sendable, Hashable {
    package var recordNames: [String]
    package var zoneID: RecordZone.ID
    package var desiredKeys: [String]?

    package init(
        recordNames: [String], zoneID: RecordZone.ID = .default, desiredKeys: [String]? = nil
    ) {
        self.recordNames = recordNames
        self.zoneID = zoneID
        self.desiredKeys = desiredKeys
    }
}
