// A notes app that shares a note, as app developers write it for Apple's systems: Ann shares it with
// Bob, who accepts, changes it and leaves; then she shares it once more, takes him off the list, and
// stops sharing. On a device the two would hold two phones; here the process signs in as each.
import CloudKit
import Foundation

/// Signs somebody in whose token the mock server's environment has.
func signIn(as person: String) {
    var variables = ProcessInfo.processInfo.environment
    variables["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"] =
        variables["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_\(person)"]
    do {
        CloudKitConfiguration.bootstrap(try CloudKitConfiguration(environment: variables))
    } catch {
        fatalError("\(error)")
    }
}

let container = CKContainer.default()
let noteID = CKRecord.ID(
    recordName: "note-ann-1", zoneID: CKRecordZone.ID(zoneName: "Notes"))

// MARK: - Ann shares

/// Shares the note with Bob, and hands the share's address on.
func shareNote(_ done: @escaping @Sendable (URL, CKShare) -> Void) {
    let database = container.privateCloudDatabase
    database.fetch(withRecordID: noteID) { note, error in
        guard let note = note else { return print("no note:", error as Any) }
        let share = CKShare(rootRecord: note)
        share[CKShare.SystemFieldKey.title] = note["title"] as? String
        let lookup = CKUserIdentity.LookupInfo(emailAddress: "bob@example.com")
        let people = CKFetchShareParticipantsOperation(userIdentityLookupInfos: [lookup])
        people.perShareParticipantResultBlock = { _, result in
            guard let friend = try? result.get() else { return print("nobody to share with") }
            friend.permission = .readWrite
            share.addParticipant(friend)
        }
        people.fetchShareParticipantsResultBlock = { _ in
            let save = CKModifyRecordsOperation(recordsToSave: [note, share])
            save.perRecordSaveBlock = { _, result in
                switch result {
                case .failure(let error): print("sharing failed:", error)
                case .success(let record):
                    guard let share = record as? CKShare, let url = share.url else { return }
                    let names = share.participants.compactMap {
                        $0.userIdentity.nameComponents?.givenName
                    }
                    print("shared with:", names.joined(separator: " "))
                    done(url, share)
                }
            }
            database.add(save)
        }
        container.add(people)
    }
}

// MARK: - Bob accepts

/// Accepts an invitation, and hands on the note's new home.
func acceptShare(at url: URL, _ done: @escaping @Sendable (CKShare) -> Void) {
    let fetch = CKFetchShareMetadataOperation(shareURLs: [url])
    fetch.shouldFetchRootRecord = true
    fetch.perShareMetadataResultBlock = { _, result in
        guard case .success(let metadata) = result else { return print("no metadata:", result) }
        print("invited to:", metadata.rootRecord?["title"] as? String ?? "?")
        guard metadata.participantStatus == .pending else { return print("not pending") }
        let accept = CKAcceptSharesOperation(shareMetadatas: [metadata])
        accept.perShareResultBlock = { _, result in
            switch result {
            case .success(let share): done(share)
            case .failure(let error): print("accepting failed:", error)
            }
        }
        container.add(accept)
    }
    container.add(fetch)
}

/// Changes the shared note.
func changeNote(of share: CKShare) {
    let database = container.sharedCloudDatabase
    let id = CKRecord.ID(recordName: noteID.recordName, zoneID: share.recordID.zoneID)
    database.fetch(withRecordID: id) { note, error in
        guard let note = note else { return print("no shared note:", error as Any) }
        note["title"] = "Packing list of two"
        database.save(note) { _, error in print("changed:", error == nil) }
    }
}

/// Prints how many zones others share with who is signed in.
func countSharedZones() {
    container.sharedCloudDatabase.fetchAllRecordZones { zones, error in
        print("shared zones:", zones?.count ?? -1)
    }
    CloudKitConfiguration.waitUntilAllOperationsAreFinished()
}

// MARK: - From beginning to end

signIn(as: "ANN")
shareNote { url, _ in
    signIn(as: "BOB")
    acceptShare(at: url) { share in changeNote(of: share) }
}
CloudKitConfiguration.waitUntilAllOperationsAreFinished()
countSharedZones()

// Bob leaves: he deletes the share, from his database.
container.sharedCloudDatabase.fetchAllRecordZones { zones, _ in
    guard let zone = zones?.first else { return print("no zone to leave") }
    let changes = CKFetchRecordZoneChangesOperation(recordZoneIDs: [zone.zoneID])
    changes.recordWasChangedBlock = { id, result in
        guard (try? result.get()) is CKShare else { return }
        container.sharedCloudDatabase.delete(withRecordID: id) { _, error in
            print("left:", error == nil)
        }
    }
    container.sharedCloudDatabase.add(changes)
}
CloudKitConfiguration.waitUntilAllOperationsAreFinished()
countSharedZones()

signIn(as: "ANN")
container.privateCloudDatabase.fetch(withRecordID: noteID) { note, _ in
    print("title:", note?["title"] as? String ?? "?")
    guard let shareID = note?.share?.recordID else { return print("not shared") }
    container.privateCloudDatabase.fetch(withRecordID: shareID) { record, _ in
        guard let share = record as? CKShare else { return print("no share") }
        print("participants:", share.participants.count)
        // Once more, and then she changes her mind.
        container.fetchShareParticipant(withEmailAddress: "bob@example.com") { friend, _ in
            guard let friend = friend else { return print("nobody") }
            share.addParticipant(friend)
            container.privateCloudDatabase.save(share) { record, _ in
                guard let share = record as? CKShare else { return print("not saved") }
                print("participants:", share.participants.count)
                for person in share.participants where person.role != .owner {
                    share.removeParticipant(person)
                }
                container.privateCloudDatabase.save(share) { record, _ in
                    print("participants:", (record as? CKShare)?.participants.count ?? -1)
                    container.privateCloudDatabase.delete(withRecordID: shareID) { _, error in
                        print("stopped:", error == nil)
                    }
                }
            }
        }
    }
}
CloudKitConfiguration.waitUntilAllOperationsAreFinished()

container.privateCloudDatabase.fetch(withRecordID: noteID) { note, _ in
    print("still shared:", note?.share != nil)
}
CloudKitConfiguration.waitUntilAllOperationsAreFinished()
