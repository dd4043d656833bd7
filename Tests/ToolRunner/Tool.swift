import Foundation

/// Runs programs of this machine that give tests a second opinion, such as curl and openssl.
package enum Tool {
    /// How a program ended, and what it printed on standard output.
    package struct Ended: Sendable {
        package let status: Int32
        package let output: [UInt8]
        /// The output as text.
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a program to its end, with all of `input` on its standard input.
    package static func run(
        _ program: String, _ arguments: [String], input: [UInt8] = []
    ) throws -> Ended {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let (output, standardInput) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = standardInput
        try process.run()
        standardInput.fileHandleForWriting.write(Data(input))
        try standardInput.fileHandleForWriting.close()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Ended(status: process.terminationStatus, output: Array(bytes))
    }
}
