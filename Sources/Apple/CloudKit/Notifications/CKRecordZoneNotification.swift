import Foundation

/// A push of a zone's subscription: something in the zone has changed.
// Unchecked, as its superclass: constants only.
public final class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    /// The zone; nil where that was too long.
    public var recordZoneID: CKRecordZone.ID? { payload.zoneID }
    /// The subscription's database; what the push does not say counts as the private one.
    public var databaseScope: CKDatabase.Scope { payload.scope ?? .private }
}
