package import CloudModel
import CloudWire

/// What a push says: which subscription a change has fired, and what the change was.
package struct PushNote: Sendable, Hashable {
    package let address: Database.Address
    package let subscriptionID: String
    package let kind: Subscription.Kind
    /// With its owner; nil: of no single zone.
    package var zoneID: RecordZone.ID?
    /// With what happened to it, of query subscriptions only.
    package var recordName: String?
    package var event: Subscription.Event?
    package var info: Subscription.NotificationInfo?
    /// The fields that the subscription has sent along.
    package var fields: [Field] = []
    /// The values that the subscription's text is to be filled with.
    package var arguments: [String] = []
    /// Whether something is left out because it is too long.
    package var isPruned = false

    /// A field that is sent along.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: FieldValue
    }

    /// Whether one of the two is as good as both: a device that was told of neither learns the same.
    func replaces(_ other: PushNote) -> Bool {
        address == other.address && subscriptionID == other.subscriptionID && kind == other.kind
            && recordName == other.recordName && zoneID == other.zoneID
    }
}

extension PushNote {
    /// A query subscription's, with what it wants to know of the record.
    init(
        _ subscription: Subscription, _ change: RecordChange, in zoneID: RecordZone.ID,
        at address: Database.Address
    ) {
        self.init(subscription, in: zoneID, at: address)
        recordName = change.record.name
        event = change.event
        for name in subscription.notificationInfo?.additionalFields ?? [] {
            guard let field = change.record.fields[name], !field.isEncrypted else { continue }
            if fields.count < WireLimits.pushFieldsMax, Self.text(of: field.value) != nil {
                fields.append(Field(name: name, value: field.value))
            } else {
                isPruned = true
            }
        }
        for name in subscription.notificationInfo?.alertLocalizationArgs ?? [] {
            guard arguments.count < WireLimits.pushArgumentsMax else {
                isPruned = true
                break
            }
            let field = change.record.fields[name]
            let text = field.flatMap { $0.isEncrypted ? nil : Self.text(of: $0.value) }
            if field != nil, text == nil { isPruned = true }
            arguments.append(text ?? "")
        }
    }

    /// The same of a zone, or of a whole database.
    init(
        _ subscription: Subscription, in zoneID: RecordZone.ID?, at address: Database.Address
    ) {
        self.init(
            address: address, subscriptionID: subscription.subscriptionID,
            kind: subscription.kind, zoneID: subscription.kind == .database ? nil : zoneID,
            info: subscription.notificationInfo)
    }

    /// A value in words; nil where it has none, or too many.
    package static func text(of value: FieldValue) -> String? {
        let text: String? =
            switch value {
            case .string(let text): text
            case .int64(let number): "\(number)"
            case .double(let number): "\(number)"
            case .timestamp(let time): "\(time.milliseconds)"
            case .reference(let target): target.recordName
            case .bytes, .location, .asset, .list: nil
            }
        return text.flatMap { $0.utf8.count <= WireLimits.pushValueBytesMax ? $0 : nil }
    }
}

/// What has happened to a record.
struct RecordChange {
    let event: Subscription.Event
    /// As it is now, of a deleted one as it was.
    let record: StoredRecord
}
