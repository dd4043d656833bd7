private import CShims
private import Glibc

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
