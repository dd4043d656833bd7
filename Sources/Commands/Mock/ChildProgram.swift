import AsyncOperations
import Host

/// A program that is run to its end while signals go to it, those too that come as it begins.
struct ChildProgram: Sendable {
    /// Which program it is, and what came before that was known.
    private struct Receiver {
        var child: Int32?
        var early: [Int32] = []
    }

    let environment: Environment

    /// Starts the program and waits for its exit status; 128 and the signal's number when one ended it.
    ///
    /// - Throws: What `start` throws; signals end this process again then.
    func run<Failure: Error>(
        _ start: () throws(Failure) -> Int32
    ) async throws(Failure) -> Int32 {
        let receiver = Locked(Receiver())
        let processes = environment.processes
        environment.signals.forward { signal in
            let child = receiver.withLock { receiver in
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
        return await processes.wait(for: child)
    }
}
