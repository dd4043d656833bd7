import AsyncOperations
import CloudModel
import Commands
import FileSystem
import Foundation
import Host

/// Keeps what was written, and wakes who waits for some of it.
final class MemorySink: TextSink {
    private struct State {
        var text = ""
        var waiting: [(part: String, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Locked(State())
    var text: String { state.withLock { $0.text } }

    func write(_ text: String) {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.text += text
            let all = state.text
            defer { state.waiting.removeAll { all.contains($0.part) } }
            return state.waiting.filter { all.contains($0.part) }.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Suspends until `part` was written.
    func wait(for part: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.text.contains(part) { return true }
                state.waiting.append((part, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// Gives prepared lines; then the end of input.
final class PreparedInput: LineInput {
    private let lines: Locked<[String]>
    init(_ lines: [String] = []) { self.lines = Locked(lines) }
    func line(within time: Duration) async -> String? {
        lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// Does something while somebody is asked, and then gives the answer.
struct ActingInput: LineInput {
    /// Gets how long may be thought.
    let act: @Sendable (Duration) async -> String?
    func line(within time: Duration) async -> String? { await act(time) }
}

/// Signals that a test sends.
final class TestSignals: Signals {
    private let handler = Locked<(@Sendable (Int32) -> Void)?>(nil)
    /// What was to be done before the end, each time it was said.
    let lastActs = Locked<[Bool]>([])
    func beforeEnd(_ body: (@Sendable () -> Void)?) {
        lastActs.withLock { $0.append(body != nil) }
    }
    func onStop(_ body: @escaping @Sendable (Int32) -> Void) { handler.withLock { $0 = body } }
    func forward(_ body: @escaping @Sendable (Int32) -> Void) { handler.withLock { $0 = body } }
    func endProcess() { handler.withLock { $0 = nil } }
    func send(_ signal: Int32) { handler.withLock { $0 }?(signal) }
}

/// Pretends to run programs.
final class PretendedProcesses: Processes {
    private let body: @Sendable ([String], [String: String]) async -> Int32
    private let child = Locked<([String], [String: String])?>(nil)
    let sent = Locked<[Int32]>([])
    var ownID: Int32 { 4711 }
    var isRoot: Bool { false }

    /// - Parameter body: Stands for every program; gives its exit status.
    init(_ body: @escaping @Sendable ([String], [String: String]) async -> Int32 = { _, _ in 0 }) {
        self.body = body
    }

    func start(_ arguments: [String], variables: [String: String]) throws(FileError) -> Int32 {
        if arguments.first == "missing" { throw FileError("missing", "cannot be started") }
        child.withLock { $0 = (arguments, variables) }
        return 1
    }
    func startApart(
        _ arguments: [String], variables: [String: String],
        mounts: [(file: String, place: String)]
    ) throws(ApartError) -> Int32 {
        if arguments.last == "forbidden" { throw ApartError(.namespaces, 1) }
        for mount in mounts { mounted.withLock { $0[mount.place] = Self.text(mount.file) } }
        child.withLock { $0 = (arguments, variables) }
        return 1
    }
    /// What was to be seen at each place.
    let mounted = Locked<[String: String]>([:])
    private static func text(_ file: String) -> String {
        (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    }
    func wait(for child: Int32) async -> Int32 {
        guard let (arguments, variables) = self.child.withLock({ $0 }) else { return 1 }
        return await body(arguments, variables)
    }
    func send(_ signal: Int32, to child: Int32) { sent.withLock { $0.append(signal) } }
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

    /// Puts a folder of the app that tests are about into this one.
    func putApp(_ name: String) throws {
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../ConfigurationTests/App/\(name)").standardizedFileURL,
            to: URL(fileURLWithPath: folder).appendingPathComponent(name))
    }

    func text(at path: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }

    func environment(
        variables: [String: String] = [:], typed: [String] = [], isTerminal: Bool = false,
        processes: any Processes = PretendedProcesses()
    ) -> Environment {
        Environment(
            output: output, errors: errors, input: PreparedInput(typed),
            variables: ["HOME": folder].merging(variables) { $1 },
            files: Files(workingFolder: folder),
            terminal: Terminal(
                inputIsTerminal: isTerminal, outputIsTerminal: false, errorsIsTerminal: isTerminal),
            signals: signals, wallClock: .fixed(Self.moment), clock: ContinuousClock(),
            freshSeed: { 7 }, processes: processes)
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
