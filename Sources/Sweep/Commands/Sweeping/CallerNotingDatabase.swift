import CloudModel

/// A database that tells who is signed in each time that the service says so.
struct CallerNotingDatabase: CloudDatabase {
    private let base: any CloudDatabase
    private let tell: @Sendable (_ userRecordName: String) -> Void

    /// - Parameter tell: Called before the answer is handed on.
    init(
        _ base: any CloudDatabase, tell: @escaping @Sendable (_ userRecordName: String) -> Void
    ) {
        self.base = base
        self.tell = tell
    }

    /// The other database's.
    var address: Database.Address { base.address }

    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        let reply = try await base.perform(command)
        if case .read(.caller) = command, case .user(let user) = reply { tell(user.userRecordName) }
        return reply
    }
}
