import Foundation
import Testing
import ToolRunner

/// A process that takes a lock, and what it says.
final class Child {
    static let program: String = {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = tests.appendingPathComponent("JournalChild").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        // Under some runners the first argument is the runner's own.
        return Bundle.main.bundleURL.appendingPathComponent("JournalChild").path
    }()

    let process: ChildProcess
    private let input: FileHandle
    private let output: FileHandle

    /// - Parameter wrapper: A program that starts it, with its arguments.
    init(_ folder: Folder, run: String, key: String, within wrapper: [String] = []) throws {
        // One that has ended already hears nothing.
        signal(SIGPIPE, SIG_IGN)
        let (typed, said) = (Pipe(), Pipe())
        let words = wrapper + [Self.program, folder.path, run, key]
        process = try ChildProcess(
            words[0], Array(words.dropFirst()),
            streams: [
                typed.fileHandleForReading.fileDescriptor,
                said.fileHandleForWriting.fileDescriptor, -1,
            ])
        try typed.fileHandleForReading.close()
        try said.fileHandleForWriting.close()
        (input, output) = (typed.fileHandleForWriting, said.fileHandleForReading)
    }

    /// The next line that it says; nil at its end.
    func line() throws -> String? {
        var bytes: [UInt8] = []
        while let byte = try output.read(upToCount: 1)?.first {
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    func say(_ line: String) throws { try input.write(contentsOf: Data((line + "\n").utf8)) }

    /// Ends its input, and waits until it has ended.
    @discardableResult
    func end() throws -> Int32 {
        try input.close()
        return process.wait()
    }

    /// Kills it, and waits until nothing is left of it.
    func kill() throws { try process.killWhole() }
}

/// What processes can be given of their own here.
enum Unshared {
    /// Process numbers of their own.
    static let processes = [
        "unshare", "--pid", "--fork", "--kill-child", "--mount-proc",
    ]
    /// A `/proc` that shows processes only, as a service with `ProcSubset=pid` has.
    static let processesOnly = [
        "unshare", "--pid", "--fork", "--kill-child", "--mount", "sh", "-c",
        "mount -t proc -o subset=pid proc /proc && exec \"$@\"", "sh",
    ]
    static let isAllowed: Bool = [processes, processesOnly].allSatisfy { wrapper in
        (try? Tool.run(wrapper[0], Array(wrapper.dropFirst()) + ["true"]).status) == 0
    }
    static let why: Comment = "this user may not unshare namespaces here"
}
