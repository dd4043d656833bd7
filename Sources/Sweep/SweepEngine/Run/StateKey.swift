import Basics
import DeletionPlanning
import FileSystem
import Journal
import OpenSSL

/// The secret key of a state folder: 32 bytes in the file `state.key`, next to the journal.
///
/// It authenticates the plans and reports that the journal and plan files hold (HMAC-SHA-256). A plan
/// file, a journal or a copy of it that was changed by someone without this file is refused. It does
/// not protect against those who can read the whole state folder: they have the key.
struct StateKey: Sendable {
    private static let byteCount = 32
    /// The note in which earlier versions kept the key, in the journal itself.
    private static let earlierNote = "seals"

    private let key: [UInt8]
    init(_ key: [UInt8]) { self.key = key }

    // MARK: The file

    private static func path(in stateFolder: String) -> String { stateFolder + "/state.key" }

    /// The key of a state folder, which is made when the folder has no key. One that an earlier version kept
    /// in the journal is moved to its file.
    static func make(
        in stateFolder: String, _ journal: any Journal
    ) async throws(JournalError) -> StateKey {
        let earlier = try await journal.note(run: 0, key: earlierNote)
        let files = Files(workingFolder: Files.currentFolder)
        if try kept(in: stateFolder) == nil {
            do throws(FileError) {
                try files.write(
                    earlier ?? SecureRandom.bytes(byteCount), to: path(in: stateFolder),
                    mode: 0o600, replacing: false)
            } catch {
                // Another process may have been quicker.
                guard files.facts(path(in: stateFolder)) != nil else {
                    throw JournalError(.inputOutput, "no key was created: \(error)")
                }
            }
        }
        guard let key = try kept(in: stateFolder) else {
            throw JournalError(.inputOutput, "\(path(in: stateFolder)) was removed")
        }
        if earlier != nil { try await journal.write([.dropNote(key: earlierNote)], run: 0) }
        return key
    }

    /// The key of a state folder, for reading; nil when it has none.
    static func read(
        in stateFolder: String, _ journal: any Journal
    ) async throws(JournalError) -> StateKey? {
        if let key = try kept(in: stateFolder) { return key }
        return try await journal.note(run: 0, key: earlierNote).map { StateKey($0) }
    }

    private static func kept(in stateFolder: String) throws(JournalError) -> StateKey? {
        let path = path(in: stateFolder)
        let files = Files(workingFolder: Files.currentFolder)
        guard files.facts(path) != nil else { return nil }
        guard files.isPrivate(path) else {
            throw JournalError(
                .notPrivate, "\(path) must be a file that only its owner can use (mode 0600)")
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path, bytesMax: byteCount)
        } catch {
            throw JournalError(.inputOutput, error.description)
        }
        guard bytes.count == byteCount else {
            throw JournalError(.corrupt, "\(path) must have \(byteCount) bytes")
        }
        return StateKey(bytes)
    }

    // MARK: Plans

    /// The authentication code of a whole plan, by its digest.
    func code(ofPlan digest: String) -> String { code("plan\n\(digest)") }

    /// The last line of a plan.
    func footer(_ facts: PlanFacts) -> PlanLine {
        .footer(totals: facts.totals, digest: facts.digest, seal: code(ofPlan: facts.digest))
    }

    // MARK: Reports

    /// A report as the journal keeps it: its JSON, and the authentication code in a line of its own.
    func authenticated(report: [UInt8], of run: String) -> [UInt8] {
        report + [0x0A] + Array(code(ofReport: report, run).utf8)
    }

    /// The JSON of a report that the journal kept; nil when its code is missing or another one.
    func verified(report: [UInt8], of run: String) -> [UInt8]? {
        guard let end = report.lastIndex(of: 0x0A) else { return nil }
        let json = Array(report[..<end])
        return report[(end + 1)...].elementsEqual(code(ofReport: json, run).utf8) ? json : nil
    }

    private func code(ofReport json: [UInt8], _ run: String) -> String {
        code("report\n\(run)\n", json)
    }

    private func code(_ text: String, _ bytes: [UInt8] = []) -> String {
        Hexadecimal.encode(HMACSHA256.authenticate(Array(text.utf8) + bytes, key: key))
    }
}
