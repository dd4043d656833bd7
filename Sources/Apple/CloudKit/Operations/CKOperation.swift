import AsyncOperations
public import Foundation

/// Work for a container or a database, on Foundation's operation queues: with dependencies,
/// cancellation and quality of service. Mirrors Apple's `CKOperation`.
///
/// Add it to a database with `add(_:)`, or to a queue of your own. Its blocks run one at a time,
/// on no particular thread. A cancelled operation still reports, with `operationCancelled`.
// Unchecked, as its superclass: apps set it up before they enqueue it, and leave it alone then;
// what changes while it runs is behind locks.
open class CKOperation: Operation, @unchecked Sendable {
    /// Names an operation among all.
    public typealias ID = String

    /// Identifies this operation in logs.
    public internal(set) var operationID: CKOperation.ID = makeUniqueName()
    /// Settings that win over the group's.
    ///
    /// Setting it takes a copy, setting nil the defaults; what is read is the operation's own.
    public var configuration: CKOperation.Configuration! {
        get { ownConfiguration }
        set { ownConfiguration = newValue?.copied() ?? Configuration() }
    }
    private var ownConfiguration = Configuration()
    /// The container that the operation was added to; the settings' own wins.
    var home: CKContainer?
    /// What the operation belongs to, for settings in common.
    public var group: CKOperationGroup?
    /// Called when a long-lived operation is kept, before its work begins.
    public var longLivedOperationWasPersistedBlock: (@Sendable () -> Void)?

    /// The file that keeps a long-lived operation, from then on until its end.
    let keptFile = Locked<KeptFile?>(nil)
    /// Why a long-lived operation could not be kept.
    let keepingFailure = Locked<CKError?>(nil)
    /// Of an operation that an earlier process has begun: whose it is, and in which database.
    var keptUser: String?
    var keptScope: CKDatabase.Scope?

    private enum Phase {
        case waiting
        case running(Task<Void, Never>?)
        case finished
    }
    private let phase = Locked(Phase.waiting)
    private let isExpired = Locked(false)

    /// Where `add(_:)` of all databases and containers puts operations: one for the process, so
    /// that operations may depend on each other whatever they belong to.
    static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "CloudKit"
        return queue
    }()

    /// Subclasses do their work here, and report it to their blocks whatever happens.
    func run() async {}

    // MARK: - As Foundation's queues want it

    /// True: the work goes on after `start()` has returned.
    public final override var isAsynchronous: Bool { true }

    /// Whether the work has begun and not ended.
    public final override var isExecuting: Bool {
        phase.withLock { if case .running = $0 { true } else { false } }
    }

    /// Whether the work has ended and its blocks were called.
    public final override var isFinished: Bool {
        phase.withLock { if case .finished = $0 { true } else { false } }
    }

    /// Begins the work; called by the queue.
    public final override func start() {
        willChangeValue(for: \.isExecuting)
        let isFirst = phase.withLock { phase in
            guard case .waiting = phase else { return false }
            phase = .running(nil)
            return true
        }
        didChangeValue(for: \.isExecuting)
        guard isFirst else { return }
        // The operation owns this task: it cancels it, and is not finished before it.
        let task = Task(priority: taskPriority) {
            await self.runKept()
            self.finish()
        }
        phase.withLock { if case .running = $0 { $0 = .running(task) } }
        if isCancelled { task.cancel() }
    }

    /// Asks the work to end early; it reports `operationCancelled`.
    public final override func cancel() {
        super.cancel()
        let task: Task<Void, Never>? = phase.withLock {
            if case .running(let task) = $0 { task } else { nil }
        }
        task?.cancel()
    }

    private func finish() {
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        phase.withLock { $0 = .finished }
        didChangeValue(for: \.isExecuting)
        didChangeValue(for: \.isFinished)
    }

    /// Does the work, and cancels it when its time is up.
    func runInTime() async {
        guard let limit = settings.resourceTimeout else { return await run() }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.run() }
            tasks.addTask {
                do {
                    try await ContinuousClock().sleep(for: limit)
                    self.isExpired.withLock { $0 = true }
                } catch {
                    // The work was done in time.
                }
            }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    /// The settings that count: the operation's own, else its group's, else the defaults.
    var settings: OperationSettings {
        OperationSettings(own: ownConfiguration, group: group?.defaultConfiguration, home: home)
    }

    private var taskPriority: TaskPriority {
        switch settings.qualityOfService ?? qualityOfService {
        case .userInteractive, .userInitiated: .high
        case .utility: .utility
        case .background: .background
        default: .medium
        }
    }

    /// What the work cannot begin or go on with; asked before each request.
    func refusal() -> CKError? {
        if isExpired.withLock({ $0 }) {
            return CKError(.networkFailure, "the operation timed out")
        }
        if isCancelled { return CKError(.operationCancelled, "the operation was cancelled") }
        return keepingFailure.withLock { $0 }
    }

    /// What a failure is to its blocks: the operation's own end, where that caused it.
    func reported(_ error: CKError) -> CKError {
        error.code == .operationCancelled ? refusal() ?? error : error
    }
}
