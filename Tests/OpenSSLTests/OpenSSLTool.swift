import Foundation

/// Runs Debian's `openssl`, the second opinion of these tests.
enum OpenSSLTool {
    struct Failure: Error { let status: Int32 }

    /// Standard output of `openssl` with these arguments and input.
    static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
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
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus)
        }
        return Array(bytes)
    }
}
