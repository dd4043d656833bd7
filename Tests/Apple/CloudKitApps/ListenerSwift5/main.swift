// An app that is told of changes, as app developers write it for Apple's systems: it subscribes to a
// query, a zone and a database, and takes what its delegate is handed. Where a device has pushes, the
// loop at the end asks for them; everything else is as on a device.
import CloudKit
import Foundation

let container = CKContainer.default()
let zoneID = CKRecordZone.ID(zoneName: "Notes")

// MARK: - Subscriptions

let quiet = CKSubscription.NotificationInfo()
quiet.shouldSendContentAvailable = true

let notes = CKQuerySubscription(
    recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "notes",
    options: [.firesOnRecordCreation, .firesOnRecordDeletion])
notes.zoneID = zoneID
notes.notificationInfo = CKSubscription.NotificationInfo(
    alertBody: "A new note", soundName: "ping", desiredKeys: ["title"],
    shouldSendContentAvailable: true, category: "NOTE")

let zone = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "zone")
zone.notificationInfo = quiet

let everything = CKDatabaseSubscription(subscriptionID: "everything")
everything.notificationInfo = quiet

// MARK: - What the app's delegate does

/// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`
func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) -> Bool {
    guard let notification = CKNotification(fromRemoteNotificationDictionary: userInfo) else {
        return false
    }
    switch notification {
    case let query as CKQueryNotification:
        let title = query.recordFields?["title"] as? String
        print(
            "query:", query.subscriptionID ?? "?", query.queryNotificationReason.rawValue,
            query.recordID?.recordName ?? "?", query.recordID?.zoneID == zoneID,
            title ?? "-", query.alertBody ?? "-", query.category ?? "-")
    case let zone as CKRecordZoneNotification:
        print("zone:", zone.subscriptionID ?? "?", zone.recordZoneID == zoneID)
    case let database as CKDatabaseNotification:
        print("database:", database.subscriptionID ?? "?", database.databaseScope.rawValue)
    default: print("something else:", notification.notificationType.rawValue)
    }
    return true
}

// MARK: - Another device of the same person

let noteID = CKRecord.ID(recordName: "pushed", zoneID: zoneID)

/// Signs a device of its own in: nobody is told of what they did themselves.
func takeOtherDevice() throws {
    var variables = ProcessInfo.processInfo.environment
    variables["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"] = variables["OTHER_DEVICE"]
    CloudKitConfiguration.bootstrap(try CloudKitConfiguration(environment: variables))
}

// MARK: - From beginning to end

func listen() async throws {
    let database = container.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: zoneID))
    let saved = try await database.modifySubscriptions(
        saving: [notes, zone, everything], deleting: [])
    print("subscribed:", saved.saveResults.count)
    var pushes = CloudKitPushes(of: container).makeAsyncIterator()
    try await pushes.connect()

    try takeOtherDevice()
    let note = CKRecord(recordType: "Note", recordID: noteID)
    note["title"] = "From the other device"
    try await database.save(note)
    for _ in 0..<3 {
        if let push = try await pushes.next() { _ = didReceiveRemoteNotification(push.userInfo) }
    }
    try await database.deleteRecord(withID: noteID)
    for _ in 0..<3 {
        if let push = try await pushes.next() { _ = didReceiveRemoteNotification(push.userInfo) }
    }
    print("foreign:", didReceiveRemoteNotification(["aps": ["alert": "Lunch"]]))
}
try await listen()
