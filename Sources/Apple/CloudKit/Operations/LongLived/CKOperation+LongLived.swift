import Basics
import CloudModel
import Foundation

// A long-lived operation is kept in a file from its beginning to its end.
extension CKOperation {
    /// Does the work; what keeps a long-lived operation from being kept is its end.
    func runKept() async {
        guard settings.isLongLived else { return await runInTime() }
        do throws(CKError) {
            try await keep()
        } catch {
            keepingFailure.withLock { $0 = error }
            // Reports it to the operation's own blocks.
            await run()
            // Of one that was to be gone on with: it is free for whoever tries next, unless it was given up.
            let kept = keptFile.withLock { $0.take() }
            if isCancelled { kept?.end() }
            return
        }
        longLivedOperationWasPersistedBlock?()
        await runInTime()
        keptFile.withLock { $0.take() }?.end()
    }

    private func keep() async throws(CKError) {
        guard let operation = self as? any KeptOperation else {
            throw CKError(
                .invalidArguments, "operations of this kind cannot be long-lived")
        }
        let database = operation.database ?? operation.homeDatabase
        let home = CKDatabase(database.place, .private)
        // Whoever is signed in when another process goes on with it has to be the same.
        let user = try await home.ask { database throws(CloudError) in
            try await database.caller()
        }.userRecordName
        if keptFile.withLock({ $0 != nil }) {
            guard keptUser == user else {
                throw CKError(
                    .notAuthenticated,
                    "another user started the operation")
            }
            return
        }
        guard let folder = database.place.longLivedFolder else {
            throw CKError(
                .invalidArguments,
                "long-lived operations are not available: this connection has no state folder")
        }
        let now = WallClock.system.now.date
        let bytes = try KeptInputs.bytes(operation, database.databaseScope, user: user, began: now)
        let kept = try folder.keep(self, bytes, now: now)
        keptFile.withLock { $0 = kept }
    }
}
