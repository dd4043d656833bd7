// Saves, reads and deletes a note as an app does, on Linux, with the library product CloudKit.
//
//     cloudkit-mock exec --any-container -- .build/debug/NotesExample
import CloudKit

let database = CKContainer(identifier: "iCloud.com.example.notes").privateCloudDatabase
let zone = CKRecordZone(zoneName: "Notes")
let id = CKRecord.ID(recordName: "milk", zoneID: zone.zoneID)

_ = try await database.save(zone)
let note = CKRecord(recordType: "Note", recordID: id)
note["title"] = "Buy milk"
let saved = try await database.save(note)
print("saved:", saved.recordID.recordName, saved.recordChangeTag ?? "")
let found = try await database.record(for: id)
print("found:", found["title"] as? String ?? "")
_ = try await database.deleteRecordZone(withID: zone.zoneID)
let names = try await database.allRecordZones().map { $0.zoneID.zoneName }
print("left:", names.joined(separator: ", "))
precondition(!names.contains("Notes"), "the zone is still there")
