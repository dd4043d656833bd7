private import AsyncOperations
import FileSystem
private import Glibc

/// Where text goes: standard output, standard error, a file, or a test.
package protocol TextSink: Sendable {
    func write(_ text: String)
    /// Why text was lost; nil: none was, or nobody wanted to read on.
    var problem: String? { get }
}

extension TextSink {
    package var problem: String? { nil }
}

/// Writes to a descriptor at once, whole pieces one after the other.
package final class DescriptorSink: TextSink {
    private let descriptor: Int32
    private let closesAtEnd: Bool
    private let isBroken = Locked(false)
    private let lost = Locked<Int32?>(nil)

    package var problem: String? { lost.withLock { $0 }.map { SystemErrors.text($0) } }

    package init(_ descriptor: Int32, closesAtEnd: Bool = false) {
        self.descriptor = descriptor
        self.closesAtEnd = closesAtEnd
    }

    deinit { if closesAtEnd { close(descriptor) } }

    package func write(_ text: String) {
        isBroken.withLock { isBroken in
            guard !isBroken else { return }
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let written = unsafe bytes.withUnsafeBytes { raw in
                    unsafe Glibc.write(descriptor, raw.baseAddress, raw.count)
                }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else {
                    let code = errno
                    // A closed pipe is no loss: nobody reads on.
                    if written < 0, code != EPIPE { lost.withLock { $0 = code } }
                    isBroken = true
                    return
                }
                bytes = bytes.dropFirst(written)
            }
        }
    }
}
