import AsyncOperations
package import FileSystem
import Foundation

/// The folder of this process for the files of fetched assets: made with the first of them, gone with
/// the last. Only the user of the process can enter it.
package final class StagingFolder: Sendable {
    /// The process's own.
    static let processWide = StagingFolder(in: Files.temporaryFolder)

    private struct State {
        /// nil: not there now.
        var path: String?
        var lock: LockFile?
        /// How many files there are, or will be.
        var count = 0
        var number = 0
        var hasLookedForOthers = false
    }
    private let parent: String
    private let files: Files
    private let state = Locked(State())
    private static let prefix = "cloudkit-assets-"

    /// - Parameter parent: The folder it is made in, absolute.
    package init(in parent: String) {
        self.parent = parent
        files = Files(workingFolder: parent)
    }

    /// A path that nobody has had, for a file that ``StagedFile`` will own.
    package func makePath() throws(FileError) -> String {
        try state.withLock { state throws(FileError) in
            if !state.hasLookedForOthers {
                state.hasLookedForOthers = true
                try removeLeftovers()
            }
            let folder: String
            if let known = state.path { folder = known } else { folder = try make(&state) }
            state.count += 1
            state.number += 1
            return "\(folder)/\(state.number)"
        }
    }

    /// Removes a file, if it is there, and with the last one the folder.
    package func remove(_ path: String) {
        state.withLock { state in
            files.remove(path)
            state.count -= 1
            guard state.count == 0, let folder = state.path else { return }
            files.removeFolder(folder)
            (state.path, state.lock) = (nil, nil)
        }
    }

    private func make(_ state: inout State) throws(FileError) -> String {
        let path = "\(parent)/\(Self.prefix)\(makeUniqueName())"
        // Locked before it has the name by which others take it for left behind.
        let draft = path + ".new"
        try files.makeFolder(draft)
        let lock = try LockFile(draft + "/lock")
        _ = try lock.lock(0)
        try files.move(draft, to: path)
        (state.path, state.lock) = (path, lock)
        return path
    }

    /// Removes what processes have left that could not end in order: nobody has its lock. What cannot
    /// be told stays; another process may be removing it just now.
    private func removeLeftovers() throws(FileError) {
        for name in try files.names(in: parent) {
            let (path, lock) = ("\(parent)/\(name)", "\(parent)/\(name)/lock")
            guard name.hasPrefix(Self.prefix), !name.hasSuffix(".new"), !files.isLink(path),
                files.facts(path)?.isOurs == true, files.facts(lock)?.isFile == true,
                isFree(lock)
            else { continue }
            files.removeFolder(path)
        }
    }

    private func isFree(_ path: String) -> Bool {
        do throws(FileError) {
            guard case .taken = try LockFile(path).lock(0) else { return false }
            return true
        } catch {
            return false
        }
    }
}
