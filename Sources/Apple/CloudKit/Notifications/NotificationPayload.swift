import Foundation

/// A push's dictionary, read. Every key may be missing but the container's object and its kind.
///
/// Foreign dictionaries hold what they like: what has another type than CloudKit's is left out.
struct NotificationPayload {
    /// The objects under `ck`, by kind.
    enum Kind: String, CaseIterable {
        case query = "qry"
        case recordZone = "fet"
        case database = "met"
    }

    let kind: Kind
    private let service: [AnyHashable: Any]
    private let subject: [AnyHashable: Any]
    private let aps: [AnyHashable: Any]

    /// nil for a push that is not CloudKit's.
    init?(_ push: [AnyHashable: Any]) {
        guard let service = push["ck"] as? [AnyHashable: Any],
            let kind = Kind.allCases.first(where: { service[$0.rawValue] != nil }),
            let subject = service[kind.rawValue] as? [AnyHashable: Any]
        else { return nil }
        self.kind = kind
        self.service = service
        self.subject = subject
        aps = push["aps"] as? [AnyHashable: Any] ?? [:]
    }

    // MARK: - What it is about

    var containerIdentifier: String? { service["cid"] as? String }
    var notificationID: String? { service["nid"] as? String }
    var ownerRecordName: String? { service["ckuserid"] as? String }
    /// Whether something was left out because the push was too long.
    var isPruned: Bool { service["p"] != nil }
    var subscriptionID: String? { subject["sid"] as? String }
    /// nil for a number that is no scope.
    var scope: CKDatabase.Scope? {
        (subject["dbs"] as? Int).flatMap { CKDatabase.Scope(rawValue: $0) }
    }
    var reason: CKQueryNotification.Reason? {
        (subject["fo"] as? Int).flatMap { CKQueryNotification.Reason(rawValue: $0) }
    }
    var fields: [String: Any]? { subject["af"] as? [String: Any] }

    /// The zone, where name and owner are there. In one's own database the owner has no name.
    var zoneID: CKRecordZone.ID? {
        guard let name = subject["zid"] as? String, let owner = subject["zoid"] as? String else {
            return nil
        }
        let isOwn = scope != .shared
        return CKRecordZone.ID(
            zoneName: name, ownerName: isOwn ? CKCurrentUserDefaultName : owner)
    }

    /// The record, where its name and its zone are there.
    var recordID: CKRecord.ID? {
        guard let name = subject["rid"] as? String, let zoneID else { return nil }
        return CKRecord.ID(recordName: name, zoneID: zoneID)
    }

    // MARK: - How it looks

    var badge: NSNumber? { (aps["badge"] as? Int).map { NSNumber(value: $0) } }

    func appearance(_ key: String) -> String? { aps[key] as? String }

    /// A part of the alert; a bare text is its body.
    func alert(_ key: String) -> String? {
        if let text = aps["alert"] as? String { return key == "body" ? text : nil }
        return (aps["alert"] as? [AnyHashable: Any])?[key] as? String
    }

    func alertList(_ key: String) -> [String]? {
        (aps["alert"] as? [AnyHashable: Any])?[key] as? [String]
    }
}
