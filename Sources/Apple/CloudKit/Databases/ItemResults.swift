import Foundation

/// Results of single items, in the order of the request.
typealias ItemResults<ID, Value> = [(id: ID, result: Result<Value, CKError>)]

extension CKError {
    /// What the failures among some items add up to; nil without any.
    static func partialFailure<ID: Hashable, Value>(
        of items: ItemResults<ID, Value>, _ what: String
    ) -> CKError? {
        var errors: [AnyHashable: any Error] = [:]
        for item in items { errors[AnyHashable(item.id)] = item.result.failure }
        return errors.isEmpty ? nil : .partialFailure(errors, what)
    }
}

/// The same items by their IDs; of two with one ID, the last.
func byID<ID: Hashable, Value>(
    _ items: ItemResults<ID, Value>
) -> [ID: Result<Value, any Error>] {
    Dictionary(items.map { ($0.id, $0.result.erased) }) { $1 }
}

/// What became of zones to create and to delete.
struct ZoneChanges: Sendable {
    var saved: ItemResults<CKRecordZone.ID, CKRecordZone> = []
    var deleted: ItemResults<CKRecordZone.ID, Void> = []

    /// Whether the service has carried out any of them.
    var hasDone: Bool {
        saved.contains { $0.result.failure == nil } || deleted.contains { $0.result.failure == nil }
    }

    /// What the failures add up to; nil without any.
    var partialFailure: CKError? {
        var errors: [AnyHashable: any Error] = [:]
        for item in saved { errors[AnyHashable(item.id)] = item.result.failure }
        for item in deleted { errors[AnyHashable(item.id)] = item.result.failure }
        return errors.isEmpty ? nil : .partialFailure(errors, "modify some record zones")
    }
}
