// What an app owes the person whose data it keeps, besides deleting it: to show it all, and to
// stop and resume its own access to it. Written as app developers write it for Apple's systems.
import CloudKit
import Foundation

// MARK: - Which containers

let stores: [CKContainer] = [
    .default(), CKContainer(identifier: "iCloud.com.example.myexampleapp.documents"),
    CKContainer(identifier: "iCloud.com.example.myexampleapp.settings"),
]
for store in stores { print("container:", store.containerIdentifier ?? "?") }

// MARK: - Showing everything

let recordTypes = [
    "Folder", "Note", "Profile", "Bookmark", "Visit", "Document", "Page", "Setting", "Device",
]

/// Prints what a query finds, page after page.
func show(_ operation: CKQueryOperation, in database: CKDatabase) {
    operation.recordFetchedBlock = { record in
        let fields = record.allKeys().sorted().map { "\($0)=\(record[$0].map { "\($0)" } ?? "")" }
        print(
            "record:", record.recordType, record.recordID.recordName, fields.joined(separator: " "))
    }
    operation.queryCompletionBlock = { cursor, error in
        if let error = error as? CKError, error.code != .unknownItem {
            print("query failed:", error.errorCode)
        }
        if let cursor { show(CKQueryOperation(cursor: cursor), in: database) }
    }
    database.add(operation)
}

for store in stores {
    let database = store.privateCloudDatabase
    database.fetchAllRecordZones { zones, error in
        guard let zones, error == nil else {
            print("listing failed:", (error as? CKError)?.errorCode ?? 0)
            return
        }
        for zone in zones {
            for recordType in recordTypes {
                let query = CKQuery(recordType: recordType, predicate: NSPredicate(value: true))
                let operation = CKQueryOperation(query: query)
                operation.zoneID = zone.zoneID
                operation.resultsLimit = 2
                show(operation, in: database)
            }
        }
    }
}
CloudKitConfiguration.waitUntilAllOperationsAreFinished()

// MARK: - Stopping and resuming access

/// Asks the web services for the user of a container, with a web auth token of the user.
func change(_ verb: String, in store: CKContainer) {
    let variables = ProcessInfo.processInfo.environment
    let apiToken = variables["CLOUDKIT_EMULATOR_API_TOKEN"] ?? ""
    let operation = CKFetchWebAuthTokenOperation(apiToken: apiToken)
    operation.fetchWebAuthTokenCompletionBlock = { webToken, error in
        guard let webToken, error == nil else {
            print("no web token:", (error as? CKError)?.errorCode ?? 0)
            return
        }
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let escaped = webToken.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
        let address =
            "\(variables["CLOUDKIT_EMULATOR_URL"] ?? "")/database/1/"
            + "\(store.containerIdentifier ?? "")/development/private/users/\(verb)"
            + "?ckAPIToken=\(apiToken)&ckWebAuthToken=\(escaped)"
        // URLSession on Linux takes no certificate authority of one's own; curl does.
        let authority = variables["CLOUDKIT_EMULATOR_CA"] ?? ""
        let status = system(
            "curl --silent --fail --output /dev/null --cacert '\(authority)' '\(address)'")
        print("\(verb):", status)
    }
    store.privateCloudDatabase.add(operation)
    CloudKitConfiguration.waitUntilAllOperationsAreFinished()
}

/// Prints whether the app still reaches the user's data.
func tryAccess(to store: CKContainer) {
    store.privateCloudDatabase.fetchAllRecordZones { zones, error in
        print("access:", zones == nil ? "\((error as? CKError)?.errorCode ?? 0)" : "granted")
    }
    CloudKitConfiguration.waitUntilAllOperationsAreFinished()
}

change("restrict", in: stores[0])
tryAccess(to: stores[0])
tryAccess(to: stores[1])
change("unrestrict", in: stores[0])
tryAccess(to: stores[0])
