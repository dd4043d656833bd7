import Foundation
import ToolRunner

/// What a script of a shell prints, and its status. It waits on a thread of its own: the servers here need
/// those of the shared pool.
package func shell(_ script: String) async -> (status: Int32, text: String) {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            do {
                let ended = try Tool.run("/bin/sh", ["-ec", script], errors: .joined)
                continuation.resume(returning: (ended.status, ended.text))
            } catch {
                continuation.resume(returning: (-1, "\(error)"))
            }
        }
    }
}
