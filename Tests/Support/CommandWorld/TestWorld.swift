import AsyncOperations
import Basics
import CommandLine
import Commands
import FileSystem
import Foundation
import Host
import RepositoryRoot

/// Keeps what was written, and wakes who waits for some of it.
final class MemorySink: TextSink {
    /// Nothing that was waited for can come any more.
    struct Unwritten: Error {
        let part: String
        let text: String
    }

    private struct State {
        var text = ""
        var hasEnded = false
        var lastWaiter = 0
        var waiting: [Int: (part: String, continuation: CheckedContinuation<Void, Never>)] = [:]
    }
    private let state = Locked(State())
    var text: String { state.withLock { $0.text } }

    func write(_ text: String) {
        wake { state in
            state.text += text
            let all = state.text
            return state.waiting.filter { all.contains($0.value.part) }.map(\.key)
        }
    }

    /// Nobody will write any more.
    func end() {
        wake { state in
            state.hasEnded = true
            return Array(state.waiting.keys)
        }
    }

    private func wake(_ pick: (inout State) -> [Int]) {
        let woken = state.withLock { state in
            pick(&state).compactMap { state.waiting.removeValue(forKey: $0)?.continuation }
        }
        for continuation in woken { continuation.resume() }
    }

    /// Suspends until `part` was written.
    ///
    /// - Throws: ``Unwritten`` when the end comes first, or the task is cancelled.
    func wait(for part: String) async throws {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.hasEnded || Task.isCancelled || state.text.contains(part) {
                        return true
                    }
                    state.waiting[waiter] = (part, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake { $0.waiting[waiter] == nil ? [] : [waiter] }
        }
        let text = text
        guard text.contains(part) else { throw Unwritten(part: part, text: text) }
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
    private struct State {
        var handler: (@Sendable (Int32) -> Void)?
        /// One that came before anybody wanted it.
        var early: Int32?
    }
    private let state = Locked(State())
    /// What was to be done before the end, each time it was said.
    let lastActs = Locked<[Bool]>([])
    func beforeEnd(_ body: (@Sendable () -> Void)?) {
        lastActs.withLock { $0.append(body != nil) }
    }
    func onStop(_ body: @escaping @Sendable (Int32) -> Void) { take(body) }
    func forward(_ body: @escaping @Sendable (Int32) -> Void) { take(body) }
    func endProcess() { state.withLock { $0.handler = nil } }

    private func take(_ body: @escaping @Sendable (Int32) -> Void) {
        let early = state.withLock { state in
            state.handler = body
            return state.early.take()
        }
        if let early { body(early) }
    }

    func send(_ signal: Int32) {
        let handler = state.withLock { state in
            if state.handler == nil { state.early = signal }
            return state.handler
        }
        handler?(signal)
    }
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
    func startFree(_ arguments: [String], variables: [String: String]) throws(FileError) {
        if arguments.first == "missing" { throw FileError("missing", "cannot be started") }
        let task = Task { [body] in _ = await body(arguments, variables) }
        free.withLock { $0.append(task) }
    }
    /// What was started and is not waited for.
    private let free = Locked<[Task<Void, Never>]>([])

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
    func run(
        _ arguments: [String], variables: [String: String], input: [UInt8], outputBytesMax: Int,
        within time: Duration, on clock: any Clock<Duration>
    ) async throws(FileError) -> ProgramEnd {
        try await SystemProcesses().run(
            arguments, variables: variables, input: input, outputBytesMax: outputBytesMax,
            within: time, on: clock)
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
    private let wallClock: WallClock

    static let moment = Timestamp(milliseconds: 1_795_000_000_000)

    /// - Parameters:
    ///   - path: The folder, which must not be there; nil: one is made up.
    ///   - isTimePassing: Whether the wall clock goes on from ``moment``, as two passes with a pause between them
    ///     need; else it stands still, so that output is the same each time.
    init(at path: String? = nil, isTimePassing: Bool = false) throws {
        let start = ContinuousClock.now
        wallClock = WallClock {
            Self.moment.advanced(by: isTimePassing ? ContinuousClock.now - start : .zero)
        }
        let url =
            path.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory
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
            at: Repository.url("Tests/Cloud/ConfigurationTests/App/\(name)"),
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
            program: .cksweep, output: output, errors: errors, input: PreparedInput(typed),
            variables: ["HOME": folder].merging(variables) { $1 },
            files: Files(workingFolder: folder),
            terminal: Terminal(
                inputIsTerminal: isTerminal, outputIsTerminal: false, errorsIsTerminal: isTerminal),
            signals: signals, wallClock: wallClock, clock: ContinuousClock(),
            freshSeed: { 7 }, processes: processes)
    }

    /// Carries out a command line; its exit status.
    func run(
        _ words: String..., variables: [String: String] = [:], typed: [String] = [],
        isTerminal: Bool = false
    ) async -> Int32 {
        await run(words, variables: variables, typed: typed, isTerminal: isTerminal)
    }

    func run(
        _ words: [String], variables: [String: String] = [:], typed: [String] = [],
        isTerminal: Bool = false
    ) async -> Int32 {
        await Dispatcher.run(
            words,
            in: environment(variables: variables, typed: typed, isTerminal: isTerminal)
        ).code
    }
}
