/// Runs an actor's jobs, one after the other, on a thread of its own.
///
/// For actors that block (disk, sockets). The actor keeps it in a `let` and returns
/// `unsafe executor.asUnownedSerialExecutor()` as its `unownedExecutor`. The thread ends when
/// the executor is let go of and no job is left.
package final class ThreadExecutor: SerialExecutor {
    private let mailbox: Mailbox<Job>
    private let thread: DedicatedThread

    /// Starts the thread.
    package init(label: String) {
        let mailbox = Mailbox<Job>()
        self.mailbox = mailbox
        // The thread holds the mailbox only, so that the executor can be let go of.
        thread = DedicatedThread(label: label) {
            while let job = mailbox.next() { job.run() }
        }
    }

    deinit { mailbox.close() }

    /// Takes a job from the runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        mailbox.post(Job(job: UnownedJob(job), executor: self))
    }

    /// Stops the program when the caller is not on this executor's thread.
    package func checkIsolated() {
        precondition(thread.isCurrent, "not on the executor's own thread")
    }

    /// A job and its executor, which must outlive it.
    @safe private struct Job: Sendable {
        let job: UnownedJob
        let executor: ThreadExecutor
        func run() { unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
    }
}
