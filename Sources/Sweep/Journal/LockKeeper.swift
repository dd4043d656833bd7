import FileSystem
import OpenSSL
import SQLite

/// The locks that one open journal holds. Used by its owner only.
///
/// A lock is a locked place in a file, which is the truth on one machine, whatever `/proc` shows,
/// and a row beside it, which says whose it is and is the truth where the file system knows no such
/// locks and among machines. Whoever takes one gets a token; a write of a run whose token does not
/// stand in the rows any more is refused, so that a holder that was taken for gone, and was not,
/// changes nothing.
final class LockKeeper {
    private let path: String
    private let isAlive: @Sendable (ProcessIdentity) -> Bool
    private var file: LockFile?
    private var held: [String: Held] = [:]
    /// Keys that the open transaction took, and those it let go of.
    private var new: [String] = []
    private var free: [String] = []
    /// Runs that are under way here.
    private var open: Set<String> = []

    private struct Held {
        let run: String
        let token: Int64
    }

    init(path: String, isAlive: @escaping @Sendable (ProcessIdentity) -> Bool) {
        self.path = path
        self.isAlive = isAlive
    }

    // MARK: In a transaction

    /// Takes every lock for `holder`, or none: also those that its run had, held by a process that
    /// is gone.
    ///
    /// - Throws: `locked` with whose a lock is.
    func take(
        _ keys: [String], for holder: LockHolder, _ connection: Connection
    ) throws(JournalError) {
        let table = LockTable(connection: connection)
        let known = held.values.first { $0.run == holder.run }?.token
        let token = if let known { known } else { try table.nextToken() }
        for key in try Set(keys).union(table.keys(ofRun: holder.run)).sorted() {
            let row = try table.row(of: key)
            if held[key]?.run == holder.run, row?.token == token { continue }
            let outcome = try lock(key)
            if outcome == .taken, held[key] == nil { new.append(key) }
            // The file does not tell two runs of one journal apart.
            guard held[key] == nil || held[key]?.run == holder.run,
                LockDecision.mayTake(outcome, row?.holder, holder, isAlive)
            else {
                throw JournalError(
                    .locked,
                    "another run holds the lock: "
                        + (row?.holder.description ?? "an unidentified process"),
                    holder: row?.holder)
            }
            try table.set(key, holder, token)
            held[key] = Held(run: holder.run, token: token)
        }
    }

    /// Lets go of the locks that `run` holds here.
    ///
    /// - Throws: `fenced` when they are another's now.
    func release(_ run: String, _ connection: Connection) throws(JournalError) {
        let table = LockTable(connection: connection)
        for (key, lock) in held where lock.run == run {
            try check(lock, key, table)
            try table.remove(key)
            free.append(key)
        }
    }

    /// - Throws: `fenced` when the run's locks are another's now.
    func check(run: Int64, _ connection: Connection) throws(JournalError) {
        guard run != 0 else { return }
        let table = LockTable(connection: connection)
        let id = try table.id(ofRun: run)
        let ours = held.filter { $0.value.run == id && !free.contains($0.key) }
        for (key, lock) in ours { try check(lock, key, table) }
        if try table.isHeld(byRun: id, besides: ours.first?.value.token ?? 0) {
            throw JournalError(.fenced, "another process works on run \(id)")
        }
    }

    private func check(
        _ lock: Held, _ key: String, _ table: LockTable
    ) throws(JournalError) {
        let row = try table.row(of: key)
        guard row?.token != lock.token else { return }
        let other = (row?.holder.description).map { " by \($0)" } ?? ""
        throw JournalError(
            .fenced,
            "the lock of run \(lock.run) was taken over\(other): nothing more is written for it",
            holder: row?.holder)
    }

    /// The token under which a run is written to here; 0: it holds no lock.
    func token(ofRun run: Int64, _ connection: Connection) throws(JournalError) -> Int64 {
        let id = try LockTable(connection: connection).id(ofRun: run)
        return held.values.first { $0.run == id }?.token ?? 0
    }

    // MARK: After it

    /// The transaction is done.
    func settle() {
        for key in free {
            held[key] = nil
            file?.unlock(Self.place(of: key))
        }
        free = []
        new = []
    }

    /// The transaction was undone.
    func forgetNew() {
        for key in new {
            held[key] = nil
            file?.unlock(Self.place(of: key))
        }
        free = []
        new = []
    }

    func letGo() {
        held = [:]
        file = nil
    }

    // MARK: Runs under way

    /// Shows others that a run is under way, until it ends or this journal is closed.
    func open(run id: String) throws(JournalError) {
        if try lock(Self.openKey(id)) != .unsupported { open.insert(id) }
    }

    /// The run is over.
    func close(run id: String) {
        if open.remove(id) != nil { free.append(Self.openKey(id)) }
    }

    /// Whether nobody has the run under way, as far as can be told: nil, it cannot be.
    func isClosed(run id: String) throws(JournalError) -> Bool? {
        if open.contains(id) { return false }
        switch try lock(Self.openKey(id)) {
        case .held: return false
        case .unsupported: return nil
        case .taken:
            file?.unlock(Self.place(of: Self.openKey(id)))
            return true
        }
    }

    private static func openKey(_ id: String) -> String { "open\n\(id)" }

    // MARK: The file

    private func lock(_ key: String) throws(JournalError) -> LockFile.Outcome {
        do throws(FileError) {
            let file = if let file { file } else { try LockFile(path) }
            self.file = file
            return try file.lock(Self.place(of: key))
        } catch {
            throw JournalError(.cannotOpen, error.description)
        }
    }

    /// Where in the file a key's lock is: so many places that no two keys meet.
    private static func place(of key: String) -> Int64 {
        SHA256.hash(Array(key.utf8)).prefix(7).reduce(0) { $0 << 8 | Int64($1) }
    }
}
