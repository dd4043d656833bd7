import AsyncOperations
import Basics
import MockService
import OpenSSL

/// The certificates of a server: its own, and one for each host `NAME.localhost` that a client asks for, made
/// when it does: OpenSSL's clients, curl among them, hold `*.localhost` too wide and refuse it.
///
/// A certificate of which less than a third of its life is left is replaced by one of the same authority for
/// the same key, so that a server that runs for months is trusted by the clients that trust it now.
final class NamespaceCertificates: Sendable {
    /// Certificates that are kept; the next one begins anew.
    private static let kept = 1000
    private static let days: Int64 = 30
    /// Seconds after which a certificate is replaced.
    private static let renewal = days * 86_400 * 2 / 3

    /// A certificate and when it was made, in seconds since 1970.
    private struct Issued {
        let identity: ServerIdentity
        let time: Int64

        func isCurrent(_ now: Int64) -> Bool { now - time < renewal && now >= time - 3600 }
    }

    private struct State {
        /// That of the start, or what has replaced it.
        var own: Issued
        var isOwnReplaced = false
        var byHost: [String: Issued] = [:]
    }

    private let authority: CertificateAuthority
    private let key: P256.PrivateKey
    private let names: [String]
    private let ownHosts: [String]
    private let clock: WallClock
    private let state: Locked<State>

    /// Makes the server's own certificate.
    ///
    /// - Parameters:
    ///   - names: What the server's own certificate is for.
    ///   - ownHosts: Hosts that are no namespace's, whatever they look like.
    init(
        _ authority: CertificateAuthority, key: P256.PrivateKey, names: [String],
        ownHosts: [String], clock: WallClock
    ) throws(OpenSSLError) {
        self.authority = authority
        self.key = key
        self.names = names
        self.ownHosts = ownHosts.map { $0.lowercased() }
        self.clock = clock
        let now = clock.now.milliseconds / 1000
        state = Locked(
            State(own: try Self.issue(for: names, by: authority, key: key, now: now)))
    }

    private static func issue(
        for names: [String], by authority: CertificateAuthority, key: P256.PrivateKey, now: Int64
    ) throws(OpenSSLError) -> Issued {
        Issued(
            identity: try authority.issue(for: names, days: Int(days), now: now, key: key),
            time: now)
    }

    /// The server's own certificate.
    var own: ServerIdentity { state.withLock { $0.own.identity } }

    /// What a client is shown who asks for a host; nil: what the server has shown from the start.
    func identity(ofHost host: String) -> ServerIdentity? {
        let now = clock.now.milliseconds / 1000
        let isNamespace = isNamespace(host)
        let (known, isFirst) = state.withLock { state in
            isNamespace
                ? (state.byHost[host], false) : (state.own, !state.isOwnReplaced)
        }
        if let known, known.isCurrent(now) { return isFirst ? nil : known.identity }
        let issued: Issued
        do throws(OpenSSLError) {
            issued = try Self.issue(
                for: isNamespace ? [host] : names, by: authority, key: key, now: now)
        } catch {
            // The client refuses a certificate for another name, or one that has expired.
            return isFirst ? nil : known?.identity
        }
        state.withLock { state in
            if isNamespace {
                if state.byHost.count >= Self.kept { state.byHost.removeAll() }
                state.byHost[host] = issued
            } else {
                (state.own, state.isOwnReplaced) = (issued, true)
            }
        }
        return issued.identity
    }

    private func isNamespace(_ host: String) -> Bool {
        guard !ownHosts.contains(host), let label = NamespaceName.label(ofHost: host) else {
            return false
        }
        return (try? NamespaceName(label)) != nil
    }
}
