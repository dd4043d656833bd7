import Foundation
import ToolRunner

/// How the disk of a program fails: only what is written below one folder.
enum FailingDisk {
    /// No file may become larger.
    case full(kibibytes: Int)
    /// This wait for the disk fails, counted from ``arm(_:)``.
    case sync(Int)
    /// There is no room for this write, counted from ``arm(_:)``.
    case write(Int)
    /// Files of assets are not written while it is armed, but for pieces of less than 1,000 bytes.
    case stalled
    /// There is no room from this write on, counted from ``arm(_:)``.
    case noRoom(from: Int)
    /// The program is killed right before this wait for the disk, counted likewise.
    case killAtSync(Int)
    /// The program is killed right before this write.
    case killAtWrite(Int)

    /// Whether there is room again after the failure.
    var isPassing: Bool { if case .write = self { true } else { false } }

    /// The words that start a program on this disk.
    ///
    /// - Parameter folder: What is written below it can fail.
    func words(_ folder: URL) throws -> [String] {
        switch self {
        case .full(let kibibytes):
            let limited = "ulimit -f \(kibibytes); trap '' XFSZ; exec \"$0\" \"$@\""
            return ["/bin/bash", "-c", limited]
        case .sync(let number): return try preloaded(folder, "sync", number)
        case .write(let number): return try preloaded(folder, "write", number)
        case .stalled: return try preloaded(folder, "stall", 1_000)
        case .noRoom(let number): return try preloaded(folder, "full", number)
        case .killAtSync(let number): return try preloaded(folder, "kill-sync", number)
        case .killAtWrite(let number): return try preloaded(folder, "kill-write", number)
        }
    }

    /// Lets the disk fail from now on.
    func arm(_ folder: URL) throws {
        try Data().write(to: folder.appendingPathComponent("armed"))
    }

    /// Takes from the log what a sync that failed has lost.
    func cutPower(_ folder: URL, _ store: String) throws {
        guard case .sync = self else { return }
        let text = try? String(contentsOf: folder.appendingPathComponent("synced"), encoding: .utf8)
        // The server was stopped before the sync that was to fail.
        guard let text, let size = UInt64(text) else { return }
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: store + "/store.sqlite-wal"))
        defer { log.closeFile() }
        if try log.seekToEnd() > size { try log.truncate(atOffset: size) }
    }

    private func preloaded(_ folder: URL, _ call: String, _ number: Int) throws -> [String] {
        let library = folder.appendingPathComponent("failing_disk.so").path
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("failing_disk.c").path
        let built = try Tool.run(
            "/usr/bin/env", ["clang", "-O1", "-shared", "-fPIC", "-o", library, source],
            errors: .joined)
        guard built.status == 0 else { throw KillTestError("clang: \(built.text)") }
        return [
            "/usr/bin/env", "LD_PRELOAD=\(library)", "FAILING_DISK=\(folder.path)",
            "FAILING_CALL=\(call)", "FAILING_NUMBER=\(number)",
        ]
    }
}
