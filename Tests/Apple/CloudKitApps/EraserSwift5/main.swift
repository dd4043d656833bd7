// An app's answer to "delete everything you keep of me", as app developers write it for Apple's
// systems: closures within closures, and the older completion block of the operation.
import CloudKit
import Foundation

let stores: [CKContainer] = [
    CKContainer.default(),
    .init(identifier: "iCloud.com.example.myexampleapp.documents"),
    .init(identifier: "iCloud.com.example.myexampleapp.settings"),
]

for store in stores {
    store.privateCloudDatabase.fetchAllRecordZones { found, error in
        guard let found = found, error == nil else {
            print("listing failed:", (error as? CKError)?.errorCode ?? 0)
            return
        }
        let names = found.map { $0.zoneID }
        let erasure = CKModifyRecordZonesOperation(
            recordZonesToSave: nil, recordZoneIDsToDelete: names)
        erasure.modifyRecordZonesCompletionBlock = { _, erased, error in
            guard error == nil else {
                let error = error!
                print("erasing failed:", (error as? CKError)?.errorCode ?? 0, error)
                return
            }
            print("erased:", erased?.count ?? 0)
        }
        store.privateCloudDatabase.add(erasure)
    }
}
CloudKitConfiguration.waitUntilAllOperationsAreFinished()

// What is left, for the tests.
for store in stores {
    store.privateCloudDatabase.fetchAllRecordZones { found, _ in
        let names = (found ?? []).map { $0.zoneID.zoneName }.sorted()
        print("left:", store.containerIdentifier ?? "?", names.joined(separator: " "))
    }
}
CloudKitConfiguration.waitUntilAllOperationsAreFinished()
