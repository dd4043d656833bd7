package import FileSystem

/// Whether a lock may be taken.
package enum LockDecision {
    /// - Parameters:
    ///   - file: What the lock's place in the file says.
    ///   - row: Who took the lock last and did not give it back.
    ///   - isAlive: Whether a process whose number can be asked for here still runs.
    package static func mayTake(
        _ file: LockFile.Outcome, _ row: LockHolder?, _ holder: LockHolder,
        _ isAlive: (ProcessIdentity) -> Bool
    ) -> Bool {
        if file == .held { return false }
        guard let row, row.run != holder.run || row.process != holder.process else { return true }
        // Left by this very process, or by one that nothing tells from it.
        if row.process == holder.process { return file == .taken }
        switch row.process.nearness(to: holder.process) {
        // Its file was free, but it runs: somebody removed the file, or its run is over and could
        // not say so. Its own end settles it.
        case .sameProcesses: return !isAlive(row.process)
        // Its number says nothing here. The file does.
        case .sameMachine: return file == .taken
        case .earlierBoot: return true
        // Whether files are locked among machines is not to be told from here.
        case .elsewhere: return false
        }
    }
}
