package import Basics
import FileSystem
import OpenSSL

/// Adds to what a state folder says of a run: a file beside the run's statement and, where there is a
/// key, an entry in the folder's ledger.
package struct AddendumWriter: Sendable {
    private let folder: String
    private let run: String
    private let key: SigningKey?
    private let toolVersion: String
    private let files = Files(workingFolder: Files.currentFolder)
    /// Others that add at the same time and may come first.
    private static let attemptsMax = 100

    /// - Parameters:
    ///   - folder: The folder of evidence.
    ///   - key: Signs; nil where nobody made a key.
    package init(folder: String, run: String, key: SigningKey?, toolVersion: String) {
        self.folder = folder
        self.run = run
        self.key = key
        self.toolVersion = toolVersion
    }

    private var base: String { "\(folder)/\(run)" }

    /// The path of an addendum.
    package static func path(_ number: Int, beside statement: String) -> String {
        let stem = statement.hasSuffix(".json") ? String(statement.dropLast(5)) : statement
        return "\(stem).addendum-\(number).json"
    }

    private func path(_ number: Int) -> String { Self.path(number, beside: base + ".json") }

    /// Writes an addendum behind those that are there.
    ///
    /// - Returns: its path.
    /// - Throws: `unreadable` when the run has no statement, or files cannot be written; `ledger`;
    ///   `tooLarge` when the run has as many as it can have.
    package func add(
        _ content: Addendum.Content, at moment: Timestamp
    ) throws(EvidenceError) -> String {
        let statement = Hexadecimal.encode(SHA256.hash(try read(base + ".json")))
        guard let key else { return try addUnsigned(content, moment, statement) }
        let entry = try Ledger(folder: folder + "/ledger").append(key) {
            (place) throws(EvidenceError) in
            let addendum = try make(content, moment, statement, place, behind: try fromLedger())
            do throws(OpenSSLError) {
                return try addendum.signed(by: [key])
            } catch {
                throw EvidenceError(.signature, error.reason)
            }
        }
        // The ledger is what counts: a file that an interruption kept from being written is made now.
        let all = try fromLedger()
        for (index, bytes) in all.enumerated() where files.facts(path(index + 1)) == nil {
            try write(bytes, to: path(index + 1), replacing: true)
        }
        let number = (all.firstIndex(of: entry.envelope) ?? all.count - 1) + 1
        try write(
            entry.proof.bytes, to: String(path(number).dropLast(5)) + ".proof", replacing: true)
        return path(number)
    }

    private func make(
        _ content: Addendum.Content, _ moment: Timestamp, _ statement: String,
        _ place: ErasureFacts.LedgerPlace?, behind earlier: [[UInt8]]
    ) throws(EvidenceError) -> Addendum {
        guard earlier.count < Addendum.countMax else {
            throw EvidenceError(.tooLarge, "run \(run) has \(earlier.count) addenda already")
        }
        return Addendum(
            run: run, statement: statement, number: earlier.count + 1,
            previous: earlier.last.map { Hexadecimal.encode(SHA256.hash($0)) },
            signedAt: moment, toolVersion: toolVersion, ledger: place, content: content)
    }

    /// Without a key the files are all there is, and the first to write one has its number.
    private func addUnsigned(
        _ content: Addendum.Content, _ moment: Timestamp, _ statement: String
    ) throws(EvidenceError) -> String {
        for _ in 0..<Self.attemptsMax {
            var earlier: [[UInt8]] = []
            while files.facts(path(earlier.count + 1)) != nil {
                earlier.append(try read(path(earlier.count + 1)))
            }
            let addendum = try make(content, moment, statement, nil, behind: earlier)
            do throws(FileError) {
                try files.write(
                    addendum.bytes, to: path(addendum.number), mode: 0o600, replacing: false)
                return path(addendum.number)
            } catch {
                guard files.facts(path(addendum.number)) != nil else {
                    throw EvidenceError(.unreadable, "\(error)")
                }
            }
        }
        throw EvidenceError(
            .unreadable,
            "gave up after many attempts: other processes keep adding to run \(run)")
    }

    /// The addenda of the run that the ledger has. It is our own: nobody's word is taken for it but the
    /// order.
    private func fromLedger() throws(EvidenceError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for bytes in try Ledger(folder: folder + "/ledger").envelopes()
        where try Envelope(bytes).claimsAddendum(to: run) {
            found.append(bytes)
        }
        return found
    }

    private func read(_ path: String) throws(EvidenceError) -> [UInt8] {
        do throws(FileError) {
            return try files.read(path, bytesMax: StrictReader.bytesMax)
        } catch {
            throw EvidenceError(.unreadable, "run \(run) cannot be added to: \(error)")
        }
    }

    private func write(
        _ bytes: [UInt8], to path: String, replacing: Bool
    ) throws(EvidenceError) {
        do throws(FileError) {
            try files.write(bytes, to: path, mode: 0o600, replacing: replacing)
        } catch {
            throw EvidenceError(.unreadable, "\(error)")
        }
    }
}
