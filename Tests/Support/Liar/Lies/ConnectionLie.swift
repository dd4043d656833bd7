/// Something that is wrong with connections, as a value.
package struct ConnectionLie: Sendable {
    /// What new connections meet.
    package enum Kind: String, Sendable, CaseIterable {
        case renewed = "another certificate of the same authority"
        case untrusted = "a certificate of an unknown authority"
        case expired = "an expired certificate"
        case otherHost = "a certificate for another host"
        case garbage = "no TLS"
        case closed = "the end at once"
    }

    package var moment: Moment
    package var kind: Kind

    package var name: String { "connections \(moment.name): \(kind.rawValue)" }

    func greeting(_ certificates: Certificates) -> LiarServer.Greeting {
        switch kind {
        case .renewed: .tls(certificates.renewed)
        case .untrusted: .tls(certificates.untrusted)
        case .expired: .tls(certificates.expired)
        case .otherHost: .tls(certificates.otherHost)
        case .garbage: .garbage
        case .closed: .close
        }
    }
}
