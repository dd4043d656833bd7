// An app's program on a server: it keeps an offer in the public database, or a note for a
// signed-in user.
import CloudKit
import Foundation

/// Puts today's offer in place of yesterday's.
func publish(_ title: String, in database: CKDatabase) async throws {
    let offer = CKRecord(recordType: "Offer")
    offer["title"] = title
    _ = try await database.save(offer)
    let query = CKQuery(recordType: "Offer", predicate: NSPredicate(value: true))
    let (found, _) = try await database.records(matching: query)
    let old = found.map(\.0).filter { $0 != offer.recordID }
    let (_, deleted) = try await database.modifyRecords(saving: [], deleting: old)
    // Each record has a result of its own.
    for result in deleted.values { try result.get() }
    print("published:", title, "withdrawn:", deleted.count)
}

/// Records when the user was last seen.
func greet(in database: CKDatabase) async throws {
    let visit = CKRecord(recordType: "Visit")
    visit["seen"] = Date()
    _ = try await database.save(visit)
    print("seen")
}

do {
    let settings = Settings()
    if settings.optional("BACKEND_TOKEN_FILE") == nil {
        connect(with: try keyCredential(settings), settings)
        try await publish("Minestrone", in: CKContainer.default().publicCloudDatabase)
        try await publish("Pea soup", in: CKContainer.default().publicCloudDatabase)
    } else {
        connect(with: try userCredential(settings), settings)
        try await greet(in: CKContainer.default().privateCloudDatabase)
    }
} catch let error as CKError {
    print("failed:", error.errorCode, error.localizedDescription)
    exit(1)
} catch {
    print("failed:", error)
    exit(1)
}
