import Foundation
import ToolRunner

/// What curl prints. It waits on a thread of its own: the servers here need those of the shared pool.
package func curl(_ arguments: [String]) async -> String {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let ended = try? Tool.run(
                "/usr/bin/curl", ["-sS", "--max-time", "60"] + arguments, errors: .joined)
            continuation.resume(returning: ended?.text ?? "")
        }
    }
}
