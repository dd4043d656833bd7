// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CloudModel
public import Foundation

/// Whether somebody is signed in.
public enum CKAccountStatus: Int, Sendable {
    /// The status is not known: the server refused the credential.
    case couldNotDetermine = 0
    /// Somebody is.
    case available = 1
    /// Somebody is, without a right to iCloud. Never told by the web services.
    case restricted = 2
    /// Nobody is, or nothing is configured.
    case noAccount = 3
    /// Somebody is, and the account is not ready. Never told by the web services.
    case temporarilyUnavailable = 4
}

extension NSNotification.Name {
    /// The account changed: an answer showed that somebody signed in or out, or is another user.
    ///
    /// Nobody is asked for it: it is posted when a request happens to show it.
    public static let CKAccountChanged = NSNotification.Name("CKAccountChanged")
}

extension CKContainer {
    private func caller() async throws(CKError) -> UserIdentity {
        let user = try await privateCloudDatabase.ask { database throws(CloudError) in
            try await database.caller()
        }
        if let name = place.identifier { place.accounts.noteUser(user.userRecordName, in: name) }
        return user
    }

    /// Whether somebody is signed in: asks the server.
    ///
    /// - Throws: ``CKError`` when the server could not be asked.
    public func accountStatus() async throws -> CKAccountStatus {
        do throws(CKError) {
            _ = try await caller()
            return .available
        } catch {
            guard error.code == .notAuthenticated else { throw error }
            return error.isRefusedCredential ? .couldNotDetermine : .noAccount
        }
    }

    /// Whether somebody is signed in: asks the server.
    @preconcurrency public func accountStatus(
        completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueueResult(
            { (result: Result<CKAccountStatus, any Error>) in
                switch result {
                case .success(let status): completionHandler(status, nil)
                case .failure(let error): completionHandler(.couldNotDetermine, error)
                }
            },
            { [self] _ in try await accountStatus() })
    }

    /// The ID of the user's record, which is the user's name in this container.
    public func userRecordID() async throws -> CKRecord.ID {
        CKRecord.ID(recordName: try await caller().userRecordName)
    }

    /// The ID of the user's record, which is the user's name in this container.
    @preconcurrency public func fetchUserRecordID(
        completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in try await userRecordID() }
    }

    /// The user with a record ID: the current user, or one who lets themselves be found; else nil.
    public func userIdentity(
        forUserRecordID userRecordID: CKRecord.ID
    ) async throws -> CKUserIdentity? {
        let caller = try await caller()
        let info = CKUserIdentity.LookupInfo(userRecordID: userRecordID)
        guard caller.userRecordName == userRecordID.recordName else {
            return try await users(by: [info])[info]
        }
        var user = caller
        user.lookupInfo = info.model
        return CKUserIdentity(user)
    }

    /// The user with an email address who lets themselves be found; else nil.
    public func userIdentity(forEmailAddress email: String) async throws -> CKUserIdentity? {
        let info = CKUserIdentity.LookupInfo(emailAddress: email)
        return try await users(by: [info])[info]
    }

    /// The user with a telephone number who lets themselves be found; else nil.
    public func userIdentity(forPhoneNumber phoneNumber: String) async throws -> CKUserIdentity? {
        let info = CKUserIdentity.LookupInfo(phoneNumber: phoneNumber)
        return try await users(by: [info])[info]
    }

    /// The user with a record ID: the current user, or one who lets themselves be found; else nil.
    @preconcurrency public func discoverUserIdentity(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueueResult(
            { (result: Result<CKUserIdentity?, any Error>) in
                switch result {
                case .success(let user): completionHandler(user, nil)
                case .failure(let error): completionHandler(nil, error)
                }
            },
            { [self] _ in try await userIdentity(forUserRecordID: userRecordID) })
    }
}
