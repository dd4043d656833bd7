import AsyncOperations
import Foundation

/// Takes a connection, reads what is said first, and never says anything.
final class SilentListener: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let heard = Gate()

    init() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | listen(descriptor, 8)
                    | getsockname(descriptor, $0, &length)
            }
        }
        precondition(code == 0, "cannot listen")
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        _ = DedicatedThread(label: "silent") { [heard] in
            let peer = accept(descriptor, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 4096)
            while peer >= 0, recv(peer, &bytes, bytes.count, 0) > 0 { heard.open() }
            if peer >= 0 { Foundation.close(peer) }
            Foundation.close(descriptor)
        }
    }

    /// Returns once the client has said something.
    func hello() async { await heard.passed() }

    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
