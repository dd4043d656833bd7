package import CloudModel

/// A database that is left alone as long as the service asked for.
///
/// After an answer with THROTTLED or TRY_AGAIN_LATER and a time to wait, requests of the same kind
/// fail as throttled, with the rest of that time, and are not sent; others go on.
package struct ThrottledDatabase: CloudDatabase {
    private let base: any CloudDatabase
    private let memory: ThrottleMemory

    /// - Parameter memory: Shared by all databases that somebody asks in turn.
    package init(_ base: any CloudDatabase, memory: ThrottleMemory) {
        self.base = base
        self.memory = memory
    }

    /// The other database's.
    package var address: Database.Address { base.address }

    /// Asks the other database, unless a throttle stands.
    package func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        if let wait = memory.wait(before: command, at: address) {
            throw CloudError(
                .throttled,
                reason: "not sent: an earlier response of the server asked to wait longer",
                retryAfter: wait)
        }
        do throws(CloudError) {
            return try await base.perform(command)
        } catch {
            if error.code == .throttled || error.code == .tryAgainLater,
                let wait = error.retryAfter
            {
                memory.note(wait, after: command, at: address)
            }
            throw error
        }
    }
}
