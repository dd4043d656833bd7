import CloudModel

/// Removes the files of assets without references: neither a record nor a pending upload has them. A snapshot has files
/// of its own.
package final class AssetCollector: StorePart {
    private let context: StoreContext
    private let assets: Assets
    /// The last file that was looked at.
    private var reached = ""
    /// Files whose rows went in this turn.
    private var leaving: [AssetDigest] = []
    private var table: AssetTables { context.tables.assets }

    init(_ context: StoreContext, _ assets: Assets) {
        self.context = context
        self.assets = assets
    }

    /// Only now nobody can want them back. The same bytes may have come again in this very turn.
    package func didCommit() {
        for digest in leaving { assets.removeUnlessKnown(digest) }
        leaving.removeAll()
    }

    package func didRollBack() {
        leaving.removeAll()
        reached = ""
    }

    /// Looks at some files.
    ///
    /// - Returns: Whether there is more to do.
    func collectSome() throws(CloudError) -> Bool {
        let now = context.clock.now.milliseconds
        if let end = try table.nextEnd(), end <= now {
            try context.tables.beginIfNeeded()
            if try table.forgetUploads(keptUntil: now) > 0 { assets.mayHaveGarbage = true }
            return true
        }
        if reached.isEmpty {
            guard assets.mayHaveGarbage else { return false }
            assets.mayHaveGarbage = false
        }
        let files = try table.next(after: reached)
        reached = files.last?.digest.name ?? ""
        for (digest, isReferred) in files where !isReferred {
            try context.tables.beginIfNeeded()
            try table.forget(digest)
            leaving.append(digest)
        }
        return !files.isEmpty || assets.mayHaveGarbage
    }
}
