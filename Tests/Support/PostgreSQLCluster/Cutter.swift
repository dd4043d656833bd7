import AsyncOperations
import Foundation

/// Stands between a client and a cluster's socket, and cuts connections after so many bytes.
package final class Cutter: Sendable {
    /// Whose bytes are counted.
    package enum Side: Sendable {
        case client
        case server
    }

    /// Where its socket is.
    package let folder: String
    private let target: String
    private let listener: Int32
    private struct State {
        /// The bytes of one side that the next connection lets through after its first `skipped`.
        var cut: (side: Side, bytes: Int)?
        var counts = (client: 0, server: 0)
    }
    private let state = Locked(State())

    package init(before cluster: Cluster) throws {
        var template = Array("/tmp/pc.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        target = "\(cluster.folder)/.s.PGSQL.5432"
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        listener = socket
        guard socket >= 0, Self.address("\(folder)/.s.PGSQL.5432", { bind(socket, $0, $1) }) == 0,
            listen(socket, 16) == 0
        else { throw POSIXError(.EIO) }
        _ = DedicatedThread(label: "cutter") { [state, target] in
            while true {
                let client = accept(socket, nil, nil)
                guard client >= 0 else { return }
                _ = DedicatedThread(label: "cut") { Self.carry(client, to: target, state) }
            }
        }
    }

    /// Takes no more connections.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Cuts the next connection, or the present one, once so many more bytes of a side have gone through.
    package func cut(_ side: Side, after bytes: Int) {
        state.withLock {
            let now = side == .client ? $0.counts.client : $0.counts.server
            $0.cut = (side, now + bytes)
        }
    }

    /// Lets everything through.
    package func heal() { state.withLock { $0.cut = nil } }

    /// The bytes that have gone through so far.
    package var counts: (client: Int, server: Int) { state.withLock { $0.counts } }

    private static func address(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func carry(_ client: Int32, to target: String, _ state: Locked<State>) {
        let server = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(client)
            close(server)
        }
        guard address(target, { connect(server, $0, $1) }) == 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            var entries = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, -1) > 0 else { return }
            for (index, side) in [Side.client, .server].enumerated()
            where entries[index].revents != 0 {
                let from = index == 0 ? client : server
                let count = read(from, &buffer, buffer.count)
                guard count > 0 else { return }
                let allowed = state.withLock { state -> Int in
                    let seen = side == .client ? state.counts.client : state.counts.server
                    var allowed = count
                    if let cut = state.cut, cut.side == side {
                        allowed = min(count, max(0, cut.bytes - seen))
                        if allowed < count { state.cut = nil }
                    }
                    if side == .client {
                        state.counts.client += allowed
                    } else {
                        state.counts.server += allowed
                    }
                    return allowed
                }
                var sent = 0
                while sent < allowed {
                    let step = buffer[sent..<allowed].withUnsafeBytes {
                        send(
                            index == 0 ? server : client, $0.baseAddress, $0.count,
                            Int32(MSG_NOSIGNAL))
                    }
                    guard step > 0 else { return }
                    sent += step
                }
                guard allowed == count else { return }
            }
        }
    }
}
