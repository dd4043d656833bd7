import Foundation

/// What a child prints, read while it runs; nobody waits for more of it without bound.
package final class ChildOutput {
    /// A child printed nothing for so long and did not end either.
    package struct Silence: Error, CustomStringConvertible {
        package let seconds: Int32
        package var description: String { "nothing was printed for \(seconds) seconds" }
    }

    private let pipe = Pipe()
    private let secondsMax: Int32
    private var pending: [UInt8] = []

    /// - Parameter secondsMax: The longest silence that is waited through; nil: as long as a program may
    ///   run.
    package init(secondsMax: Int32? = nil) {
        self.secondsMax = secondsMax ?? ChildProcess.secondsMax
    }

    /// For ``ChildProcess``: one of its streams.
    package var stream: Int32 { pipe.fileHandleForWriting.fileDescriptor }

    /// To be called once the child has its copy of the stream: the output ends with the child then.
    package func started() throws { try pipe.fileHandleForWriting.close() }

    /// The next line without its end; nil at the end of the output.
    package func line() throws -> String? {
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            guard let more = try next() else { return nil }
            pending += more
        }
    }

    /// All that is still to come.
    package func rest() throws -> [UInt8] {
        while let more = try next() { pending += more }
        defer { pending = [] }
        return pending
    }

    /// Some bytes, as soon as there are any; nil at the end.
    private func next() throws -> [UInt8]? {
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&entry, 1, secondsMax * 1000)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Silence(seconds: secondsMax) }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let length = read(descriptor, &buffer, buffer.count)
            if length < 0, errno == EINTR { continue }
            return length > 0 ? Array(buffer[..<length]) : nil
        }
    }
}
