package import Basics
package import CommandLine
import FileSystem
import Foundation
package import Host
import MockCommands
import RepositoryRoot
import Testing

/// A folder of its own and an environment that prints into memory.
package final class TestWorld: Sendable {
    package let folder: String
    package let output = MemorySink()
    package let errors = MemorySink()
    package let signals = TestSignals()
    private let program: Program
    private let wallClock: WallClock

    package static let moment = Timestamp(milliseconds: 1_795_000_000_000)

    /// - Parameters:
    ///   - program: Whose command lines are carried out.
    ///   - path: The folder, which must not be there; nil: one is made up.
    ///   - isTimePassing: Whether the wall clock goes on from ``moment``, as two passes with a pause between them
    ///     need; else it stands still, so that output is the same each time.
    package init(of program: Program, at path: String? = nil, isTimePassing: Bool = false) throws {
        self.program = program
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
    package func put(_ text: String, at path: String, mode: Int = 0o644) throws {
        try put(Array(text.utf8), at: path, mode: mode)
    }

    package func put(_ bytes: [UInt8], at path: String, mode: Int = 0o644) throws {
        let url = URL(fileURLWithPath: folder).appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    /// Puts a folder of the app that tests are about into this one.
    package func putApp(_ name: String) throws {
        try FileManager.default.copyItem(
            at: Repository.url("Tests/Cloud/ConfigurationTests/App/\(name)"),
            to: URL(fileURLWithPath: folder).appendingPathComponent(name))
    }

    package func text(at path: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }

    package func environment(
        of other: Program? = nil, variables: [String: String] = [:], typed: [String] = [],
        isTerminal: Bool = false, processes: any Processes = PretendedProcesses()
    ) -> Environment {
        Environment(
            program: other ?? program, output: output, errors: errors, input: PreparedInput(typed),
            variables: ["HOME": folder].merging(variables) { $1 },
            files: Files(workingFolder: folder),
            terminal: Terminal(
                inputIsTerminal: isTerminal, outputIsTerminal: false, errorsIsTerminal: isTerminal),
            signals: signals, wallClock: wallClock, clock: ContinuousClock(),
            freshSeed: { 7 }, processes: processes)
    }

    /// Carries out a command line; its exit status.
    package func run(
        _ words: String..., variables: [String: String] = [:], typed: [String] = [],
        isTerminal: Bool = false
    ) async -> Int32 {
        await run(words, variables: variables, typed: typed, isTerminal: isTerminal)
    }

    package func run(
        _ words: [String], variables: [String: String] = [:], typed: [String] = [],
        isTerminal: Bool = false
    ) async -> Int32 {
        await Dispatcher.run(
            words,
            in: environment(variables: variables, typed: typed, isTerminal: isTerminal)
        ).code
    }

    /// Carries out a command line of `cloudkit-mock`; its exit status.
    package func mock(_ words: [String]) async -> Int32 {
        await Dispatcher.run(words, in: environment(of: .cloudkitMock)).code
    }

    /// What is offered to a shell at the end of a line, without what each is.
    package func offers(_ words: String...) async -> [String] {
        let before = output.text.count
        #expect(await run(["__complete"] + words) == 0)
        #expect(errors.text.isEmpty)
        return output.text.dropFirst(before).split(separator: "\n")
            .map { String($0.prefix { $0 != "\t" }) }
    }
}
