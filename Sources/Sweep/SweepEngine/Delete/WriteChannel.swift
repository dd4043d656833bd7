import CloudModel

/// The way to one database of the person, to change it: only the executor has one, and it has the
/// clearance.
struct WriteChannel: Sendable {
    let courier: SweepCourier
    let database: any CloudDatabase
    /// Who was signed in just before the first deletion.
    let person: UserIdentity
    /// Under which rules.
    let request: SweepRequest
    /// What the run meant to delete here.
    let planned: PlannedRows

    /// Sends a change once; what a failure means is for the caller to say.
    func send(_ write: CloudWrite) async throws(SweepFailure) -> CloudReply {
        try await courier.send(write, to: database, for: person.userRecordName)
    }

    /// Sends a change that names no owner, straight after asking whose session it is.
    ///
    /// - Throws: `refusedByGuard` when it is another person's; nothing was changed.
    func sendAfterAsking(_ write: CloudWrite) async throws(SweepFailure) -> CloudReply {
        try await courier.send(
            write, to: database, afterAskingFor: person.userRecordName)
    }

    /// Looks something up once, before it is changed.
    func look(_ command: CloudRead) async throws(SweepFailure) -> CloudReply {
        try await courier.lookOnce(command, from: database, for: person.userRecordName)
    }

    /// Looks something up until it is answered, after something was changed.
    func read(_ command: CloudRead) async throws(SweepFailure) -> CloudReply {
        try await courier.read(command, from: database, for: person.userRecordName)
    }

    /// The zone by the person's name: another person's session must not be able to take it for
    /// their own.
    func own(_ zone: RecordZone.ID) -> RecordZone.ID {
        database.address.scope == .private
            ? RecordZone.ID(zone.zoneName, ownerRecordName: person.userRecordName) : zone
    }
}
