import Foundation

/// Runs programs to their end: second opinions such as curl and openssl, and our own.
package enum Tool {
    /// How a program ended, and what it printed.
    package struct Ended: Sendable {
        /// 128 and the signal's number when one ended it.
        package let status: Int32
        package let output: [UInt8]
        /// Empty unless they were asked for.
        package let errors: String
        /// The output as text.
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// What becomes of standard error.
    package enum Errors: Sendable {
        case discarded
        case kept
        /// They stand among the output.
        case joined
    }

    /// Runs a program, with `input` on its standard input, and blocks until it has ended.
    package static func run(
        _ program: String, _ arguments: [String], input: [UInt8] = [],
        variables: [String: String]? = nil, folder: String? = nil, errors: Errors = .discarded
    ) throws -> Ended {
        let (output, typed, complaints) = (ChildOutput(), try Scratch(input), try Scratch([]))
        let third: Int32 =
            switch errors {
            case .discarded: -1
            case .kept: complaints.handle.fileDescriptor
            case .joined: output.stream
            }
        let child = try ChildProcess(
            program, arguments, variables: variables, folder: folder,
            streams: [typed.handle.fileDescriptor, output.stream, third])
        try output.started()
        let bytes: [UInt8]
        do {
            bytes = try output.rest()
        } catch {
            child.send(SIGKILL)
            child.wait()
            throw error
        }
        let status = child.wait()
        return Ended(
            status: status, output: bytes,
            errors: String(decoding: try complaints.contents(), as: UTF8.self))
    }

    /// A file without a name: no pipe that could fill up, and no reader that could be gone.
    private struct Scratch {
        let handle: FileHandle

        init(_ bytes: [UInt8]) throws {
            let path = FileManager.default.temporaryDirectory
                .appendingPathComponent("cksweep-\(UUID().uuidString)").path
            guard FileManager.default.createFile(atPath: path, contents: Data(bytes)),
                let handle = FileHandle(forUpdatingAtPath: path)
            else { throw ChildProcess.Failure(description: "\(path) cannot be made") }
            self.handle = handle
            try FileManager.default.removeItem(atPath: path)
        }

        func contents() throws -> Data {
            try handle.seek(toOffset: 0)
            return try handle.readToEnd() ?? Data()
        }
    }
}
