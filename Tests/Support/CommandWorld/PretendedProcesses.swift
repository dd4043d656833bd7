package import AsyncOperations
package import FileSystem
import Foundation
package import Host

/// Pretends to run programs.
package final class PretendedProcesses: Processes {
    private let body: @Sendable ([String], [String: String]) async -> Int32
    private let child = Locked<([String], [String: String])?>(nil)
    package let sent = Locked<[Int32]>([])
    package var ownID: Int32 { 4711 }
    package var isRoot: Bool { false }

    /// - Parameter body: Stands for every program; gives its exit status.
    package init(
        _ body: @escaping @Sendable ([String], [String: String]) async -> Int32 = { _, _ in 0 }
    ) {
        self.body = body
    }

    package func start(_ arguments: [String], variables: [String: String]) throws(FileError)
        -> Int32
    {
        if arguments.first == "missing" { throw FileError("missing", "cannot be started") }
        child.withLock { $0 = (arguments, variables) }
        return 1
    }
    /// What this process was to become.
    package let become = Locked<[String]>([])
    package func become(
        _ arguments: [String], variables: [String: String]
    ) throws(FileError) -> Never {
        become.withLock { $0 = arguments }
        throw FileError(arguments.first ?? "", "is a test's")
    }
    package func startFree(_ arguments: [String], variables: [String: String]) throws(FileError) {
        if arguments.first == "missing" { throw FileError("missing", "cannot be started") }
        let task = Task { [body] in _ = await body(arguments, variables) }
        free.withLock { $0.append(task) }
    }
    /// What was started and is not waited for.
    private let free = Locked<[Task<Void, Never>]>([])

    package func startApart(
        _ arguments: [String], variables: [String: String],
        mounts: [(file: String, place: String)]
    ) throws(ApartError) -> Int32 {
        if arguments.last == "forbidden" { throw ApartError(.namespaces, 1) }
        for mount in mounts { mounted.withLock { $0[mount.place] = Self.text(mount.file) } }
        child.withLock { $0 = (arguments, variables) }
        return 1
    }
    /// What was to be seen at each place.
    package let mounted = Locked<[String: String]>([:])
    private static func text(_ file: String) -> String {
        (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    }
    package func run(
        _ arguments: [String], variables: [String: String], input: [UInt8], outputBytesMax: Int,
        within time: Duration, on clock: any Clock<Duration>
    ) async throws(FileError) -> ProgramEnd {
        try await SystemProcesses().run(
            arguments, variables: variables, input: input, outputBytesMax: outputBytesMax,
            within: time, on: clock)
    }

    package func wait(for child: Int32) async -> Int32 {
        guard let (arguments, variables) = self.child.withLock({ $0 }) else { return 1 }
        return await body(arguments, variables)
    }
    package func send(_ signal: Int32, to child: Int32) { sent.withLock { $0.append(signal) } }
}
