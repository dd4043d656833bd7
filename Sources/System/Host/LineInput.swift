private import AsyncOperations
private import CShims
private import Glibc

/// Lines that somebody types.
package protocol LineInput: Sendable {
    /// The next line without its end; nil at the end of input and when time is up.
    func line(within time: Duration) async -> String?
    /// The same for a secret: a terminal does not show what is typed.
    func secret(within time: Duration) async -> String?
    /// Has a terminal show again what is typed: for when a secret is not waited for any more.
    func showTyping()
}

extension LineInput {
    package func secret(within time: Duration) async -> String? { await line(within: time) }
    package func showTyping() {}
}

/// Lines from a descriptor: standard input, but in tests.
package final class DescriptorInput: LineInput {
    private static let lineBytesMax = 4096
    private let descriptor: Int32

    /// Does not close the descriptor.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    package func line(within time: Duration) async -> String? {
        let (seconds, attoseconds) = time.components
        let milliseconds = Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        let descriptor = descriptor
        return await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "input") {
                continuation.resume(returning: Self.readLine(descriptor, milliseconds))
            }
        }
    }

    package func secret(within time: Duration) async -> String? {
        let isTerminal = isatty(descriptor) == 1
        // A secret is not asked for where it would be shown.
        guard !isTerminal || cksweep_set_echo(descriptor, 0) == 0 else { return nil }
        defer { if isTerminal { showTyping() } }
        return await line(within: time)
    }

    package func showTyping() { _ = cksweep_set_echo(descriptor, 1) }

    /// Reads byte by byte, so that nothing past the line is taken.
    private static func readLine(_ descriptor: Int32, _ milliseconds: Int) -> String? {
        let end = now() + milliseconds
        var bytes: [UInt8] = []
        while bytes.count < lineBytesMax {
            let left = end - now()
            guard left > 0 else { return nil }
            let ready = cksweep_wait_readable(descriptor, Int32(clamping: left))
            if ready < 0 { return nil }
            if ready == 0 { continue }
            var byte: UInt8 = 0
            let count = unsafe read(descriptor, &byte, 1)
            guard count == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            if byte != UInt8(ascii: "\r") { bytes.append(byte) }
        }
        return nil
    }

    /// Milliseconds of a clock that only goes forward.
    private static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
