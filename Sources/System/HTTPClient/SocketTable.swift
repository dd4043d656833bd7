private import Glibc

/// The sockets that libcurl holds open. Lives on the curl thread.
///
/// libcurl before 8.0.0 takes a connection with unread input for a live one, and so an answer that
/// nobody asked for would be the answer to the next request.
///
/// - SeeAlso: <https://github.com/curl/curl/pull/10690>
final class SocketTable {
    /// Each socket's local port, once it was asked for.
    private var ports: [Int32: UInt16?] = [:]

    /// Opens a socket for libcurl; -1 when there is none.
    func open(family: Int32, type: Int32, protocol number: Int32) -> Int32 {
        let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
        if descriptor >= 0 { ports[descriptor] = .some(nil) }
        return descriptor
    }

    /// Closes a socket for libcurl.
    func close(_ descriptor: Int32) -> Int32 {
        ports[descriptor] = nil
        return Glibc.close(descriptor)
    }

    /// Whether something was received on the connection with this local port that nobody has read,
    /// be it the other side's goodbye; true as well for a connection that is not known here.
    func hasInput(localPort: Int32) -> Bool {
        var states = ports.keys.filter { port(of: $0) == localPort }.map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard !states.isEmpty else { return true }
        return unsafe poll(&states, nfds_t(states.count), 0) != 0
    }

    /// The table that a callback's context stands for.
    static func from(_ context: UnsafeMutableRawPointer?) -> SocketTable? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue()
    }

    private func port(of descriptor: Int32) -> Int32? {
        if let known = ports[descriptor] ?? nil { return Int32(known) }
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        // The port stands at the same place in the addresses of both families.
        let port = UInt16(bigEndian: address.sin6_port)
        guard code == 0, port != 0 else { return nil }
        ports[descriptor] = port
        return Int32(port)
    }
}
