/// A `records/modify` request.
package struct RecordModifyRequest: Sendable, Hashable {
    package var operations: [RecordOperation]
    package var zoneID: RecordZone.ID
    /// All or nothing for each zone; without meaning in the default zone and the public database.
    package var atomic: Bool
    package var desiredKeys: [String]?

    package init(
        operations: [RecordOperation], zoneID: RecordZone.ID = .default, atomic: Bool = true,
        desiredKeys: [String]? = nil
    ) {
        self.operations = operations
        self.zoneID = zoneID
        self.atomic = atomic
        self.desiredKeys = desiredKeys
    }
}
