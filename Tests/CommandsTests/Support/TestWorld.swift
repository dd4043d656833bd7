import AsyncOperations
import CloudModel
import Commands
import Foundation

/// Keeps what was written.
final class MemorySink: TextSink {
    private let kept = Locked("")
    var text: String { kept.withLock { $0 } }
    func write(_ text: String) { kept.withLock { $0 += text } }
}

/// Gives prepared lines; then the end of input.
final class PreparedInput: LineInput {
    private let lines: Locked<[String]>
    init(_ lines: [String] = []) { self.lines = Locked(lines) }
    func line(within time: Duration) async -> String? {
        lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// Signals that a test sends.
final class TestSignals: Signals {
    private let handler = Locked<(@Sendable (Int32) -> Void)?>(nil)
    func onStop(_ body: @escaping @Sendable (Int32) -> Void) { handler.withLock { $0 = body } }
    func forward(_ body: @escaping @Sendable (Int32) -> Void) { handler.withLock { $0 = body } }
    func send(_ signal: Int32) { handler.withLock { $0 }?(signal) }
}

/// No other program can be started.
struct NoProcesses: Processes {
    var ownID: Int32 { 4711 }
    func start(_ arguments: [String], variables: [String: String]) throws(FileError) -> Int32 {
        throw FileError(arguments.first ?? "", "cannot be started")
    }
    func wait(for child: Int32) async -> Int32 { 1 }
    func send(_ signal: Int32, to child: Int32) {}
}

/// A folder of its own and an environment that prints into memory.
final class TestWorld: Sendable {
    let folder: String
    let output = MemorySink()
    let errors = MemorySink()
    let signals = TestSignals()

    static let moment = Timestamp(milliseconds: 1_795_000_000_000)

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-commands-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Puts a file into the folder.
    func put(_ text: String, at path: String, mode: Int = 0o644) throws {
        try put(Array(text.utf8), at: path, mode: mode)
    }

    func put(_ bytes: [UInt8], at path: String, mode: Int = 0o644) throws {
        let url = URL(fileURLWithPath: folder).appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    func text(at path: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }

    func environment(
        variables: [String: String] = [:], typed: [String] = [], isTerminal: Bool = false
    ) -> Environment {
        Environment(
            output: output, errors: errors, input: PreparedInput(typed),
            variables: ["HOME": folder].merging(variables) { $1 },
            files: Files(workingFolder: folder),
            terminal: Terminal(
                inputIsTerminal: isTerminal, outputIsTerminal: false, errorsIsTerminal: isTerminal),
            signals: signals, wallClock: .fixed(Self.moment), clock: ContinuousClock(),
            freshSeed: { 7 }, processes: NoProcesses())
    }

    /// Carries out a command line; its exit status.
    func run(
        _ words: String..., variables: [String: String] = [:], typed: [String] = [],
        isTerminal: Bool = false
    ) async -> Int32 {
        await Dispatcher.run(
            words,
            in: environment(variables: variables, typed: typed, isTerminal: isTerminal)
        ).code
    }
}
