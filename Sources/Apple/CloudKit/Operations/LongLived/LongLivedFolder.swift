import AsyncOperations
import Basics
import FileSystem
import Foundation
import OpenSSL

/// Where the long-lived operations of one container are kept until they have ended: a file each, which only
/// the user of the process can read.
package final class LongLivedFolder: Sendable {
    private let path: String
    private let files: Files
    /// The operations of this process, so that nobody is handed a second one.
    private let known = Locked<[CKOperation.ID: Weak]>([:])

    private struct Weak: Sendable {
        weak var operation: CKOperation?
    }

    /// Operations that may be kept at a time.
    private static let countMax = 100
    /// How long an operation is kept that nobody goes on with: as long as it may take.
    private static let age: TimeInterval = 604_800
    private static let suffix = ".operation"

    /// - Parameter path: Absolute; made with the first operation.
    init(_ path: String) {
        self.path = path
        files = Files(workingFolder: path)
    }

    /// The folder of a container of a server, below a process's state folder.
    convenience init(
        in stateFolder: String, server: String, isProduction: Bool, container: String
    ) {
        let place = "\(server)\n\(isProduction ? "production" : "development")\n\(container)"
        let digest = Hexadecimal.encode(Array(SHA256.hash(Array(place.utf8)).prefix(16)))
        self.init("\(stateFolder)/operations/\(digest)")
    }

    /// Keeps an operation from now on.
    func keep(_ operation: CKOperation, _ bytes: [UInt8], now: Date) throws(CKError) -> KeptFile {
        let id = operation.operationID
        let kept: KeptFile
        do throws(FileError) {
            try files.makeFolder(path)
            try removeOld(now)
            guard try ids().count < Self.countMax else {
                throw FileError(path, "has \(Self.countMax) long-lived operations already")
            }
            kept = try KeptFile(file(of: id), files)
            try files.write(bytes, to: file(of: id), mode: 0o600, replacing: false)
        } catch {
            throw CKError(.internalError, "cannot store the operation: \(error)")
        }
        known.withLock { $0[id] = Weak(operation: operation) }
        return kept
    }

    /// The operations that are kept, with what is known of them; those that are too old are removed.
    func all(now: Date) throws(CKError) -> [(id: CKOperation.ID, kept: KeptInputs)] {
        var found: [(CKOperation.ID, KeptInputs)] = []
        for id in try listed() {
            guard let inputs = try read(id) else { continue }
            if Self.isOld(inputs.began, now) {
                remove(id)
            } else {
                found.append((id, inputs))
            }
        }
        return found
    }

    /// An operation to go on with; nil: there is none, or none any more.
    ///
    /// - Throws: `serviceUnavailable` while another process is at work on it.
    func operation(
        _ id: CKOperation.ID, for user: String, now: Date
    ) throws(CKError) -> CKOperation? {
        if let operation = known.withLock({ $0[id]?.operation }), !operation.isFinished {
            return operation
        }
        guard try listed().contains(id) else { return nil }
        let lock: KeptFile
        do throws(FileError) {
            lock = try KeptFile(file(of: id), files)
        } catch {
            throw CKError(.serviceUnavailable, "cannot load the operation now: \(error)")
        }
        guard let inputs = try read(id) else {
            // It has ended meanwhile, or is of a form that this library does not read.
            if files.facts(file(of: id)) == nil { lock.end() }
            return nil
        }
        guard !Self.isOld(inputs.began, now) else {
            lock.end()
            return nil
        }
        guard inputs.user == user else { return nil }
        let operation = try inputs.makeOperation(id, lock)
        known.withLock { known in
            known = known.filter { $0.value.operation != nil }
            known[id] = Weak(operation: operation)
        }
        return operation
    }

    private func file(of id: CKOperation.ID) -> String { "\(path)/\(id)\(Self.suffix)" }

    private func listed() throws(CKError) -> [CKOperation.ID] {
        do throws(FileError) { return try ids() } catch {
            throw CKError(.internalError, "cannot list the stored operations: \(error)")
        }
    }

    private func ids() throws(FileError) -> [CKOperation.ID] {
        guard files.facts(path) != nil else { return [] }
        return try files.names(in: path).compactMap { name in
            name.hasSuffix(Self.suffix) ? String(name.dropLast(Self.suffix.count)) : nil
        }
    }

    /// What is kept of an operation; nil: it is not there, or of a form that this library does not read.
    private func read(_ id: CKOperation.ID) throws(CKError) -> KeptInputs? {
        do throws(FileError) {
            return KeptInputs(try files.read(file(of: id), bytesMax: KeptInputs.bytesMax))
        } catch {
            if error.code == ENOENT { return nil }
            throw CKError(.internalError, "cannot read a stored operation: \(error)")
        }
    }

    private static func isOld(_ began: Date, _ now: Date) -> Bool {
        now.timeIntervalSince(began) > age
    }

    /// Removes what was written so long ago, whether or not it can be read.
    private func removeOld(_ now: Date) throws(FileError) {
        for id in try ids() {
            guard let facts = files.facts(file(of: id)) else { continue }
            let written = Date(timeIntervalSince1970: TimeInterval(facts.modified))
            if Self.isOld(written, now) { remove(id) }
        }
    }

    /// Removes one that nobody is at work on.
    private func remove(_ id: CKOperation.ID) {
        do throws(FileError) { try KeptFile(file(of: id), files).end() } catch { return }
    }
}
