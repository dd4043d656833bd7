import AsyncOperations
import Foundation
import Glibc

/// A process that ends by itself, and stays in the table of processes until it is reaped.
struct EndedChild: Sendable {
    struct Failure: Error {}
    let pid: pid_t

    init() throws {
        var child: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(arguments[0]) }
        guard posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil) == 0 else {
            throw Failure()
        }
        pid = child
    }

    /// Suspends until the process has ended; a thread of its own waits, and leaves it unreaped.
    func end() async {
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "child") { [pid] in
                var facts = siginfo_t()
                while waitid(P_PID, id_t(pid), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                continuation.resume()
            }
        }
    }

    /// When the process started, as the kernel tells of it.
    func startTicks() throws -> Int64 {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = text.split(separator: " ")
        guard fields.count > 21, let ticks = Int64(fields[21]) else { throw Failure() }
        return ticks
    }

    func reap() {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
}
