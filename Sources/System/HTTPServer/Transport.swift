private import CShims
private import Glibc
import OpenSSL

/// One accepted socket, with TLS or without; closed with its owner.
@safe struct Transport: ~Copyable {
    let descriptor: Int32
    private var tls: TLSConnection?
    /// Whether it is known what the client has begun with.
    private var hasBegun = false

    /// Takes over a descriptor.
    init(_ descriptor: Int32, _ context: TLSContext?) throws(OpenSSLError) {
        var tls: TLSConnection?
        if let context {
            do throws(OpenSSLError) {
                tls = try TLSConnection(serverOn: descriptor, context)
            } catch {
                close(descriptor)
                throw error
            }
        }
        self.descriptor = descriptor
        self.tls = tls
    }

    deinit { close(descriptor) }

    /// Goes on with the handshake; over at once without TLS.
    borrowing func handshake() -> TLSConnection.Step { tls?.handshake() ?? .done(0) }

    /// Goes on without TLS if the client has begun to speak without it; whether that is so.
    ///
    /// A client's first byte is looked at and left where it is: requests begin with a letter, and what TLS
    /// sends never does.
    mutating func fallsToPlainText() -> Bool {
        guard !hasBegun, tls != nil else { return false }
        var first: UInt8 = 0
        guard unsafe recv(descriptor, &first, 1, Int32(MSG_PEEK)) == 1 else {
            return false
        }
        hasBegun = true
        guard (0x41...0x5A).contains(first & 0xDF) else { return false }
        tls = nil
        return true
    }

    /// Whether the client chose HTTP/2.
    borrowing func choseHTTP2() -> Bool {
        switch tls {
        case .some(let tls): tls.selectedProtocol == "h2"
        case .none: false
        }
    }

    /// Whether the other end has said that it sends no more, or is gone.
    borrowing func peerHasEnded() -> Bool { cksweep_peer_has_ended(descriptor) != 0 }

    /// Reads what is there.
    borrowing func read(into buffer: inout [UInt8]) -> TLSConnection.Step {
        unsafe buffer.withUnsafeMutableBytes { bytes in
            if let step = unsafe tls?.read(into: bytes) { return step }
            return outcome(
                unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0), orWait: .wantsRead)
        }
    }

    /// Whether bytes wait for which the socket will not become readable again.
    borrowing func hasPending() -> Bool {
        switch tls {
        case .some(let tls): tls.hasPending
        case .none: false
        }
    }

    /// Writes `bytes` from `start` on, as many as the socket takes. The step says why it stopped:
    /// `done` with the new start when all are written.
    borrowing func write(
        _ bytes: [UInt8], from start: inout Int
    ) -> TLSConnection.Step {
        while start < bytes.count {
            let step = unsafe bytes.withUnsafeBytes { all in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[start...])
                if let step = unsafe tls?.write(rest) { return step }
                return outcome(
                    unsafe send(descriptor, rest.baseAddress, rest.count, 0),
                    orWait: .wantsWrite)
            }
            guard case .done(let count) = step else { return step }
            start += count
        }
        return .done(start)
    }

    /// Says that nothing more will be sent.
    borrowing func endWriting() {
        tls?.sendCloseNotify()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads past TLS and forgets; false when the client has ended too, or failed.
    borrowing func discard(into buffer: inout [UInt8]) -> Bool {
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
    }

    private borrowing func outcome(
        _ count: Int, orWait waiting: TLSConnection.Step
    ) -> TLSConnection.Step {
        if count > 0 { return .done(count) }
        if count == 0 { return .closed }
        return errno == EAGAIN || errno == EINTR ? waiting : .failed
    }
}
