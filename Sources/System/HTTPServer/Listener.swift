private import CShims
private import Glibc

/// A listening socket; closed with its last owner.
final class Listener: Sendable {
    let descriptor: Int32
    let address: String
    let port: UInt16

    private static let backlog: Int32 = 1024
    /// How often another free port is tried when the other family has it taken.
    private static let attemptsMax = 20

    private init(descriptor: Int32, address: String, port: UInt16) {
        self.descriptor = descriptor
        self.address = address
        self.port = port
    }

    deinit { close(descriptor) }

    /// Opens one address.
    private static func open(
        _ address: String, _ port: UInt16
    ) throws(HTTPServerError) -> Listener {
        var actual: UInt16 = 0
        let made = unsafe cksweep_listen(address, port, backlog, &actual)
        guard made < 0 else { return Listener(descriptor: made, address: address, port: actual) }
        let code: HTTPServerError.Code =
            switch -made {
            case EADDRINUSE: .portInUse
            case EACCES, EPERM: .portForbidden
            case EINVAL, EADDRNOTAVAIL, EAFNOSUPPORT: .addressUnusable
            default: .system
            }
        let reason =
            switch code {
            case .portInUse: "port \(port) of \(address) is in use"
            case .portForbidden: "this user may not listen on port \(port) of \(address)"
            case .addressUnusable: "\(address) is not an address of this machine"
            case .system: "cannot listen on \(address): \(unsafe String(cString: strerror(-made)))"
            }
        throw HTTPServerError(code: code, port: port, reason: reason)
    }

    /// Opens all addresses on one port, any free one for 0. Addresses that this machine lacks are
    /// left out as long as one is there.
    static func openAll(
        _ addresses: [String], port: UInt16
    ) throws(HTTPServerError) -> [Listener] {
        var attempt = 0
        while true {
            attempt += 1
            do throws(HTTPServerError) {
                return try openOnce(addresses, port: port)
            } catch {
                // The port was free for one family and taken for the other.
                guard port == 0, error.code == .portInUse, attempt < attemptsMax else {
                    throw error
                }
            }
        }
    }

    private static func openOnce(
        _ addresses: [String], port: UInt16
    ) throws(HTTPServerError) -> [Listener] {
        var listeners: [Listener] = []
        var missing: HTTPServerError?
        for address in addresses {
            do throws(HTTPServerError) {
                listeners.append(try open(address, listeners.first?.port ?? port))
            } catch  where error.code == .addressUnusable {
                missing = missing ?? error
            }
        }
        guard !listeners.isEmpty else {
            throw missing
                ?? HTTPServerError(
                    code: .addressUnusable, port: port, reason: "no address to listen on")
        }
        return listeners
    }
}

/// What came of asking a listening socket for a connection.
enum Accepted {
    case socket(Int32)
    /// Nobody waits.
    case none
    /// The client has gone again; ask once more.
    case aborted
    /// The system has no descriptor or memory left.
    case exhausted

    init(from listener: Listener) {
        let code = cksweep_accept(listener.descriptor)
        guard code < 0 else {
            self = .socket(code)
            return
        }
        switch -code {
        case EAGAIN: self = .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: self = .exhausted
        default: self = .aborted
        }
    }
}
