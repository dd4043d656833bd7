import AsyncOperations
private import Host

/// A program that is run to its end while signals go to it, those too that come as it begins.
package struct ChildProgram: Sendable {
    /// Which program it is, and what came before that was known.
    private struct Receiver {
        var child: Int32?
        var early: [Int32] = []
        /// The first signal of all.
        var first: Int32?
    }

    /// How a program ended.
    package struct Ended: Sendable {
        /// Its exit status; 128 and the signal's number when one ended it.
        package let status: Int32
        /// The first signal that went to it from here; nil: none.
        package let signal: Int32?
    }

    private let environment: Environment

    package init(in environment: Environment) { self.environment = environment }

    /// Starts the program and waits for its end.
    ///
    /// - Throws: What `start` throws; signals end this process again then.
    package func run<Failure: Error>(
        _ start: () throws(Failure) -> Int32
    ) async throws(Failure) -> Ended {
        let receiver = Locked(Receiver())
        let processes = environment.processes
        environment.signals.forward { signal in
            let child = receiver.withLock { receiver in
                receiver.first = receiver.first ?? signal
                if receiver.child == nil { receiver.early.append(signal) }
                return receiver.child
            }
            if let child { processes.send(signal, to: child) }
        }
        defer { environment.signals.endProcess() }
        let child = try start()
        let early = receiver.withLock { receiver in
            receiver.child = child
            return receiver.early
        }
        for signal in early { processes.send(signal, to: child) }
        let status = await processes.wait(for: child)
        return Ended(status: status, signal: receiver.withLock { $0.first })
    }
}
