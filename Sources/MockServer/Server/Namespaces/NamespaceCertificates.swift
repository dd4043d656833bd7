import AsyncOperations
import CloudModel
import OpenSSL

/// A certificate for each host `NAME.localhost` that a client asks for, made when it does: OpenSSL's clients,
/// curl among them, hold `*.localhost` too wide and refuse it.
final class NamespaceCertificates: Sendable {
    /// Certificates that are kept; the next one begins anew.
    private static let kept = 1000

    private let authority: CertificateAuthority
    private let key: P256.PrivateKey
    private let ownNames: [String]
    private let clock: WallClock
    private let made = Locked<[String: ServerIdentity]>([:])

    /// - Parameter ownNames: Hosts that the server's own certificate is for.
    init(
        _ authority: CertificateAuthority, key: P256.PrivateKey, ownNames: [String],
        clock: WallClock
    ) {
        self.authority = authority
        self.key = key
        self.ownNames = ownNames.map { $0.lowercased() }
        self.clock = clock
    }

    /// What a client is shown who asks for a host; nil where that is no namespace's.
    func identity(ofHost host: String) -> ServerIdentity? {
        guard !ownNames.contains(host), let label = NamespaceName.label(ofHost: host),
            (try? NamespaceName(label)) != nil
        else { return nil }
        if let known = made.withLock({ $0[host] }) { return known }
        // A client that is shown another name tells so.
        guard
            let identity = try? authority.issue(
                for: [host], now: clock.now.milliseconds / 1000, key: key)
        else { return nil }
        made.withLock { made in
            if made.count >= Self.kept { made.removeAll() }
            made[host] = identity
        }
        return identity
    }
}
