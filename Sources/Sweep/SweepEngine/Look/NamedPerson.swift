import CloudModel
import DeletionPlanning

/// A person who is named by their user record name, and is not signed in: a server-to-server key reaches
/// what they have in the public database.
struct NamedPerson: Sendable {
    let name: String

    /// Why the rest is no part of a sweep.
    static let outOfReach =
        "a server-to-server key reaches only public records; everything else needs a sign-in"

    /// Asks for the record that every user has in a container. A name that nobody has there would find
    /// nothing, and look as if everything were gone.
    ///
    /// - Parameter database: The public one.
    /// - Throws: `refusedByGuard` when the service knows nobody of the name.
    func found(
        by courier: SweepCourier, in database: any CloudDatabaseReading
    ) async throws(SweepFailure) -> UserIdentity {
        let command = CloudRead.lookUpRecords(
            RecordLookupRequest(recordNames: [name], desiredKeys: []))
        guard case .records(let reply) = try await courier.read(command, from: database, for: name),
            reply.records.count == 1
        else { throw .refused(.wrongReply(to: command)) }
        switch reply.records[0] {
        case .record(let record) where record.recordType == DeletionStep.userRecordType:
            return UserIdentity(userRecordName: name)
        case .record, .deleted: throw .refused(.wrongReply(to: command))
        case .failure(_, let error) where error.code == .notFound:
            throw .refusedByGuard(
                Refusal(
                    .otherUser,
                    "no user in \(database.address.container) has the given user record name; "
                        + "the name differs between containers and environments"))
        case .failure(_, let error): throw .refused(error)
        }
    }
}
