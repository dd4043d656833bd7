import CoreLocation
import Foundation

/// An operation that can be long-lived: its inputs can be kept in a file.
protocol KeptOperation: CKDatabaseOperation {
    /// What files call this kind of operation; never changes.
    static var keptName: String { get }
    init()
    /// - Throws: `invalidArguments` for what no archive holds.
    func encodeInputs(to coder: NSCoder) throws(CKError)
    /// - Returns: false when something is missing.
    func decodeInputs(from coder: NSCoder) -> Bool
}

extension CKModifyRecordsOperation: KeptOperation {
    static var keptName: String { "modifyRecords" }

    func encodeInputs(to coder: NSCoder) throws(CKError) {
        let records = recordsToSave ?? []
        // An archive would leave out a field that cannot be saved.
        for record in records { _ = try record.read { $0 }.saving(savePolicy) }
        coder.encode(records as NSArray, forKey: "saves")
        coder.encode((recordIDsToDelete ?? []) as NSArray, forKey: "deletes")
        coder.encode(savePolicy.rawValue, forKey: "policy")
        coder.encode(isAtomic, forKey: "atomic")
    }

    func decodeInputs(from coder: NSCoder) -> Bool {
        guard let saves: [CKRecord] = coder.decodeList("saves", [CKShare.self]),
            let deletes: [CKRecord.ID] = coder.decodeList("deletes"),
            let policy = RecordSavePolicy(rawValue: coder.decodeInteger(forKey: "policy"))
        else { return false }
        (recordsToSave, recordIDsToDelete, savePolicy) = (saves, deletes, policy)
        isAtomic = coder.decodeBool(forKey: "atomic")
        return true
    }
}

extension CKFetchRecordsOperation: KeptOperation {
    static var keptName: String { "fetchRecords" }

    func encodeInputs(to coder: NSCoder) {
        coder.encode((recordIDs ?? []) as NSArray, forKey: "ids")
        coder.encode(desiredKeys.map { $0 as NSArray }, forKey: "keys")
        coder.encode(isForCurrentUser, forKey: "currentUser")
    }

    func decodeInputs(from coder: NSCoder) -> Bool {
        guard let ids: [CKRecord.ID] = coder.decodeList("ids") else { return false }
        recordIDs = ids
        desiredKeys = coder.decodeList("keys").map { (keys: [NSString]) in keys.map { "\($0)" } }
        isForCurrentUser = coder.decodeBool(forKey: "currentUser")
        return true
    }
}

extension CKQueryOperation: KeptOperation {
    static var keptName: String { "query" }

    func encodeInputs(to coder: NSCoder) throws(CKError) {
        // An archive of a query that cannot be asked is empty.
        if let query { _ = try query.model() }
        coder.encode(query, forKey: "query")
        coder.encode(cursor, forKey: "cursor")
        coder.encode(zoneID, forKey: "zone")
        coder.encode(resultsLimit, forKey: "limit")
        coder.encode(desiredKeys.map { $0 as NSArray }, forKey: "keys")
    }

    func decodeInputs(from coder: NSCoder) -> Bool {
        query = coder.decodeIfThere(CKQuery.self, "query")
        cursor = coder.decodeIfThere(CKQueryCursor.self, "cursor")
        zoneID = coder.decodeIfThere(CKRecordZone.ID.self, "zone")
        resultsLimit = coder.decodeInteger(forKey: "limit")
        desiredKeys = coder.decodeList("keys").map { (keys: [NSString]) in keys.map { "\($0)" } }
        return query != nil || cursor != nil
    }
}

extension CKModifyRecordZonesOperation: KeptOperation {
    static var keptName: String { "modifyRecordZones" }

    func encodeInputs(to coder: NSCoder) {
        coder.encode((recordZonesToSave ?? []) as NSArray, forKey: "saves")
        coder.encode((recordZoneIDsToDelete ?? []) as NSArray, forKey: "deletes")
    }

    func decodeInputs(from coder: NSCoder) -> Bool {
        guard let saves: [CKRecordZone] = coder.decodeList("saves"),
            let deletes: [CKRecordZone.ID] = coder.decodeList("deletes")
        else { return false }
        (recordZonesToSave, recordZoneIDsToDelete) = (saves, deletes)
        return true
    }
}

extension CKFetchRecordZonesOperation: KeptOperation {
    static var keptName: String { "fetchRecordZones" }

    func encodeInputs(to coder: NSCoder) {
        coder.encode(recordZoneIDs.map { $0 as NSArray }, forKey: "ids")
    }

    func decodeInputs(from coder: NSCoder) -> Bool {
        recordZoneIDs = coder.decodeList("ids")
        return recordZoneIDs != nil || !coder.containsValue(forKey: "ids")
    }
}

extension NSCoder {
    /// A list of objects of a class, or of others that are subclasses; nil when it is not one.
    fileprivate func decodeList<Thing: NSObject>(
        _ key: String, _ others: [AnyClass] = []
    ) -> [Thing]? {
        decodeIfThere(anyOf: [NSArray.self, Thing.self] + others, key) as? [Thing]
    }
}
