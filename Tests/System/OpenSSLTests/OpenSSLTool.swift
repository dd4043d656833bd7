import ToolRunner

/// Runs Debian's `openssl`, the second opinion of these tests.
enum OpenSSLTool {
    struct Failure: Error { let status: Int32 }

    /// Standard output of `openssl` with these arguments and input.
    static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let ended = try Tool.run("/usr/bin/openssl", arguments, input: input)
        guard ended.status == 0 else { throw Failure(status: ended.status) }
        return ended.output
    }
}
