import AsyncOperations
package import CloudModel
package import FileSystem

/// A web auth token in a file of its owner's, shared by all processes that name it.
///
/// The file holds the token and a line break. Each next one replaces the file whole, with the same
/// rights. Locks are in a file beside it, which stays: those who use the token together share one, and
/// who uses it alone excludes all others. Everybody comes by the gate first, so that nobody who waits is
/// overtaken for ever.
package actor WebAuthTokenFile: WebAuthTokenKeeper {
    /// Bytes of the longest token that is kept.
    package static let tokenBytesMax = 8_192
    /// How long to wait for other processes: as long as a request of theirs may take.
    private static let waitMax: Duration = .seconds(120)
    /// Between two looks at a lock that another process holds.
    private static let pause: Duration = .milliseconds(5)
    private static let gate: Int64 = 0
    private static let use: Int64 = 1

    private let executor = ThreadExecutor(label: "web auth token")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    private nonisolated let path: String
    private let files: Files
    private let clock: any Clock<Duration>
    private var locks: LockFile?
    /// Whether a file could be made beside this one.
    private var isProven = false
    /// The newest token to keep, and how many came before it: those who wait together write once.
    private nonisolated let newest = Locked<(token: String, number: Int)>(("", 0))
    private var written = 0

    /// Opens nothing yet.
    ///
    /// - Parameter clock: For waits for other processes.
    package init(_ path: String, in files: Files, clock: any Clock<Duration>) {
        self.path = files.absolute(path)
        self.files = files
        self.clock = clock
    }

    package func hold(alone: Bool) async throws(CloudError) -> String? {
        guard files.facts(path) != nil else { return nil }
        let locks = try openedLocks()
        try await take(Self.gate, isShared: false, locks)
        defer { locks.unlock(Self.gate) }
        try await take(Self.use, isShared: !alone, locks)
        do throws(CloudError) {
            guard let (token, _) = try read() else {
                release()
                return nil
            }
            if !isProven { try prove() }
            return token
        } catch {
            release()
            throw error
        }
    }

    package nonisolated func keep(_ token: String) async throws(CloudError) {
        let number = newest.withLock { newest in
            newest = (token, newest.number + 1)
            return newest.number
        }
        try await write(upTo: number)
    }

    package func release() { locks?.unlock(Self.use) }

    /// Makes the file with the token of a new sign-in, or replaces it, when nobody uses the old one.
    package func begin(with token: String) async throws(CloudError) {
        if let slash = path.lastIndex(of: "/") {
            do throws(FileError) {
                try files.makeFolder(String(path[..<slash]))
            } catch {
                throw Self.unusable(error)
            }
        }
        let locks = try openedLocks()
        try await take(Self.gate, isShared: false, locks)
        defer { locks.unlock(Self.gate) }
        try await take(Self.use, isShared: false, locks)
        defer { release() }
        try replace(with: token, mode: 0o600)
    }

    /// Removes the file when nobody uses the token.
    ///
    /// - Returns: Whether it was there.
    package func remove() async throws(CloudError) -> Bool {
        guard files.facts(path) != nil else { return false }
        let locks = try openedLocks()
        try await take(Self.gate, isShared: false, locks)
        defer { locks.unlock(Self.gate) }
        try await take(Self.use, isShared: false, locks)
        defer { release() }
        files.remove(path)
        guard files.facts(path) == nil else {
            throw Self.unusable(FileError(path, "cannot be removed"))
        }
        return true
    }

    // MARK: The file

    private func write(upTo number: Int) throws(CloudError) {
        guard written < number else { return }
        let (token, last) = newest.withLock { $0 }
        // Not after somebody has signed out.
        guard let (_, mode) = try read() else {
            throw CloudError(.authenticationRequired, reason: "\(path) was removed meanwhile")
        }
        try replace(with: token, mode: mode)
        written = last
    }

    /// The token and the file's rights; nil where there is no file.
    private func read() throws(CloudError) -> (token: String, mode: UInt32)? {
        guard let facts = files.facts(path) else { return nil }
        do throws(FileError) {
            guard facts.isOurs, facts.mode & 0o077 == 0 else {
                throw FileError(path, "can be read by other users, or belongs to another user")
            }
            guard facts.mode & 0o200 != 0, !files.isLink(path) else {
                throw FileError(
                    path,
                    "must be a file that can be replaced: each response contains the next token")
            }
            let bytes = try files.read(path, bytesMax: Self.tokenBytesMax + 64)
            return (try checked(String(decoding: bytes, as: UTF8.self)), facts.mode)
        } catch {
            throw Self.unusable(error)
        }
    }

    private func replace(with token: String, mode: UInt32) throws(CloudError) {
        do throws(FileError) {
            let token = try checked(token)
            try files.write(Array((token + "\n").utf8), to: path, mode: mode, replacing: true)
        } catch {
            throw Self.unusable(error)
        }
    }

    /// Sees to it that a token can be replaced, before the first request and not after the service has
    /// taken the old one back. The file itself is left alone: another process may be replacing it.
    private func prove() throws(CloudError) {
        let draft = path + ".draft"
        defer { files.remove(draft) }
        do throws(FileError) {
            let room = [UInt8](repeating: 0x0A, count: Self.tokenBytesMax)
            try files.write(room, to: draft, mode: 0o600, replacing: true)
        } catch {
            throw Self.unusable(error)
        }
        isProven = true
    }

    private func checked(_ text: String) throws(FileError) -> String {
        let words = text.split { $0 == " " || $0.isNewline }
        guard words.count == 1, Self.isToken(words[0]) else {
            throw FileError(path, "should contain a web auth token, but does not")
        }
        return String(words[0])
    }

    /// Whether a text can be a web auth token.
    package static func isToken(_ text: some StringProtocol) -> Bool {
        (1...tokenBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func unusable(_ error: FileError) -> CloudError {
        CloudError(
            .authenticationFailed, reason: "cannot store the web auth token: \(error.description)"
        )
    }

    // MARK: The locks

    private func openedLocks() throws(CloudError) -> LockFile {
        if let locks { return locks }
        do throws(FileError) {
            let opened = try LockFile(path + ".lock")
            locks = opened
            return opened
        } catch {
            throw Self.unusable(error)
        }
    }

    private func take(
        _ place: Int64, isShared: Bool, _ locks: LockFile
    ) async throws(CloudError) {
        let watch = Stopwatch(clock)
        while true {
            do throws(FileError) {
                switch try locks.lock(place, isShared: isShared) {
                case .taken: return
                case .unsupported:
                    throw FileError(
                        path + ".lock",
                        "is on a file system without locks")
                case .held where watch.elapsed > Self.waitMax:
                    throw FileError(path, "is in use by another process that does not release it")
                case .held: break
                }
            } catch {
                throw Self.unusable(error)
            }
            do {
                try await clock.sleep(for: Self.pause)
            } catch {
                throw CloudError(.cancelled, reason: "cancelled before it was sent")
            }
        }
    }
}
