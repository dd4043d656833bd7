import AsyncOperations
import CloudCourier
import CloudModel
import DeletionPlanning

/// The courier of one sweep, and how far the sweep has come.
///
/// Every answer that the sweep gets comes through here, and the record types that it names are noted
/// before anybody sees it.
final class SweepCourier: Sendable {
    private let courier: Courier
    private let types: TypeBook
    private let noted: Locked<SweepProgress>
    private let tell: @Sendable (SweepEvent) -> Void

    init(_ limits: SweepRequest.Limits, in world: SweepWorld, noting types: TypeBook) {
        self.types = types
        var bounds = Courier.Limits()
        bounds.parallelism = limits.parallelism
        bounds.perDatabase = limits.perDatabase
        bounds.maxDuration = limits.maxDuration
        bounds.attemptsMax = limits.attemptsMax
        bounds.waitMax = limits.waitMax
        let noted = Locked(SweepProgress())
        let tell = world.tell
        courier = Courier(bounds, clock: world.clock, seed: world.seed, stop: world.stop) { event in
            switch event {
            case .counted(let counts):
                tell(.progress(noted.withLock { $0 }.with(counts)))
            case .waiting(let address, let code, let wait, let attempt, let attempts):
                tell(
                    .waiting(
                        address.container, address.scope, code, wait: wait, attempt: attempt,
                        of: attempts))
            }
        }
        self.noted = noted
        self.tell = tell
    }

    var elapsed: Duration { courier.elapsed }
    var progress: SweepProgress { noted.withLock { $0 }.with(courier.counts) }
    var signInNeeded: CloudError? { courier.signInNeeded }
    var halted: CloudError? { courier.halted }
    var isStopped: Bool { courier.isStopped }

    /// Changes what is told of the sweep, and tells it.
    func note(_ change: @Sendable (inout SweepProgress) -> Void) {
        noted.withLock { change(&$0) }
        tell(.progress(progress))
    }

    /// Sends a command that changes nothing until it is answered or refused for good.
    func read(
        _ command: CloudRead, from database: any CloudDatabaseReading, for person: String?
    ) async throws(SweepFailure) -> CloudReply {
        try await noted(of: database.address.container) { () async throws(Courier.Failure) in
            try await courier.read(command, from: database, for: person)
        }
    }

    /// Asks the address of an asset until it is answered or refused for good.
    ///
    /// - Parameter place: The database whose record has the asset.
    func ask(
        _ address: String, of place: Database.Address, by probe: any AssetProbe
    ) async throws(SweepFailure) -> AssetPresence? {
        let found = Locked<AssetPresence?>(nil)
        try await translated { () async throws(Courier.Failure) in
            try await courier.ask(at: place) {
                let presence = try await probe.presence(at: address)
                found.withLock { $0 = presence }
            }
        }
        return found.withLock { $0 }
    }

    /// Sends a command that changes nothing once.
    func lookOnce(
        _ command: CloudRead, from database: any CloudDatabaseReading, for person: String?
    ) async throws(SweepFailure) -> CloudReply {
        try await noted(of: database.address.container) { () async throws(Courier.Failure) in
            try await courier.lookOnce(command, from: database, for: person)
        }
    }

    /// Sends a change once; what the failure means is for the caller to say.
    func send(
        _ write: CloudWrite, to database: any CloudDatabase, for person: String?
    ) async throws(SweepFailure) -> CloudReply {
        try await noted(of: database.address.container) { () async throws(Courier.Failure) in
            try await courier.send(write, to: database, for: person)
        }
    }

    /// Sends a change once, straight after the answer that `person` is signed in.
    func send(
        _ write: CloudWrite, to database: any CloudDatabase, afterAskingFor person: String
    ) async throws(SweepFailure) -> CloudReply {
        try await noted(of: database.address.container) { () async throws(Courier.Failure) in
            try await courier.send(write, to: database, afterAskingFor: person)
        }
    }

    /// Waits as the retry rule says.
    func waitOrGiveUp(
        _ error: CloudError, _ budget: inout RetryBudget, at address: Database.Address
    ) async throws(SweepFailure) {
        do throws(Courier.Failure) {
            try await courier.waitOrGiveUp(error, &budget, at: address)
        } catch {
            throw SweepFailure(error)
        }
    }

    /// Sleeps between two verification passes.
    func pause(_ duration: Duration) async throws(SweepFailure) {
        try await translated { () async throws(Courier.Failure) in
            try await courier.pause(duration)
        }
    }

    private func noted(
        of container: Container.ID,
        _ body: () async throws(Courier.Failure) -> CloudReply
    ) async throws(SweepFailure) -> CloudReply {
        let reply = try await translated(body)
        try await types.note(reply, from: container)
        return reply
    }

    private func translated<Value: Sendable>(
        _ body: () async throws(Courier.Failure) -> Value
    ) async throws(SweepFailure) -> Value {
        do throws(Courier.Failure) {
            return try await body()
        } catch {
            throw SweepFailure(error)
        }
    }
}

extension SweepFailure {
    init(_ failure: Courier.Failure) {
        self =
            switch failure {
            case .refused(let error): .refused(error)
            case .stopped: .stopped
            case .otherPerson:
                .refusedByGuard(
                    Refusal(
                        .otherUser,
                        "another user is signed in now than when this run began"))
            }
    }
}

extension SweepProgress {
    fileprivate func with(_ counts: Courier.Counts) -> SweepProgress {
        var progress = self
        progress.requests = counts.requests
        progress.inFlight = counts.inFlight
        progress.retries = counts.retries
        return progress
    }
}
