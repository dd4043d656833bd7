import SQLite

/// Why the journal could not do what it was asked.
package struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// The file cannot be opened or made.
        case cannotOpen
        /// The folder is not the user's alone, or holds something else than files.
        case notPrivate
        /// The file is damaged, or is something else than a journal.
        case corrupt
        /// A newer version of the tool wrote it.
        case newerVersion
        case diskFull
        case inputOutput
        /// Another process is writing and does not let go.
        case busy
        /// An earlier write failed; nothing is written after that.
        case broken
        /// Another run holds a lock; see ``JournalError/holder``.
        case locked
        /// Another run took the lock since, see ``JournalError/holder``; nothing is written for this one
        /// any more.
        case fenced
        case noSuchRun
        /// The run is not over, so that it cannot be forgotten.
        case unfinished
        /// A step was to move to a state it cannot reach from where it is, a row was to be marked
        /// that was not seen, or a plan was to be used twice: a mistake of ours.
        case illegalMove
        /// More is to be kept than there is room for.
        case tooMany
        /// The chain of events does not hold.
        case chainBroken
    }

    package let code: Code
    /// Words for people. Never names of zones or records.
    package let reason: String
    /// Whose the lock is; only with `locked` and `fenced`.
    package let holder: LockHolder?

    package init(_ code: Code, _ reason: String, holder: LockHolder? = nil) {
        self.code = code
        self.reason = reason
        self.holder = holder
    }

    package var description: String { reason }

    /// Whether the refusal undoes its own changes alone and the journal can be written to as
    /// before.
    var isHarmless: Bool {
        switch code {
        case .locked, .fenced, .tooMany, .unfinished: true
        case .cannotOpen, .notPrivate, .corrupt, .newerVersion, .diskFull, .inputOutput, .busy,
            .broken,
            .noSuchRun, .illegalMove, .chainBroken:
            false
        }
    }

    init(_ error: SQLiteError) {
        let code: Code =
            switch error.code {
            case 5, 6: .busy
            case 11, 26: .corrupt
            case 10: .inputOutput
            case 13: .diskFull
            case 14, 8, 3, 23: .cannotOpen
            case 19: .illegalMove
            default: .inputOutput
            }
        self.init(code, "\(error.message) (SQLite \(error.extendedCode))")
    }
}
