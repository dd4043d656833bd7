import CloudModel
import CloudWire
package import HTTPServer

/// The URLs at which clients reach one namespace of the server.
package final class ServerAddress {
    /// Where it is reached by its own name; set once the port is known.
    package var baseURL = "https://localhost" { didSet { lastCall = nil } }
    /// nil: it is the server's own.
    package let namespace: NamespaceName?
    /// The names that clients can call the server by.
    private let names: [String]
    /// The names of its certificate.
    private let certifiedNames: [String]
    /// The `Host` of the last request, and the URL that belongs to it.
    private var lastCall: (host: String, url: String)?

    /// - Parameters:
    ///   - names: Host names and IP addresses that clients can call the server by.
    ///   - certifiedNames: Those of its certificate, some of which may begin with `*.`.
    ///   - namespace: nil: the server's own.
    package init(names: [String], certifiedNames: [String], namespace: NamespaceName? = nil) {
        self.names = names
        self.certifiedNames = certifiedNames
        self.namespace = namespace
    }

    /// The server's URL as a client knows it, even if another program forwards the port: all URLs in responses begin
    /// with it. A client that uses a name that the certificate lacks gets ``baseURL``.
    package func url(asCalledBy request: HTTPRequest) -> String {
        guard let host = request["host"] else { return baseURL }
        // Most requests come by the same name.
        if let lastCall, lastCall.host == host { return lastCall.url }
        let url = url(calledBy: host)
        lastCall = (host, url)
        return url
    }

    private func url(calledBy host: String) -> String {
        guard let origin = WebOrigin("https://" + host) else { return baseURL }
        if let namespace, NamespaceName.label(ofHost: String(origin.host)) == namespace.description
        {
            return origin.description
        }
        let isCertified = certifiedNames.contains { name in
            let name = name.lowercased()
            guard name.hasPrefix("*.") else { return name == origin.host }
            return origin.host.drop { $0 != "." } == name.dropFirst()
        }
        guard isCertified else { return baseURL }
        // A client that cannot resolve a namespace's host uses the server's own.
        return origin.description
            + (namespace.map { NamespaceChoice.pathPrefix + $0.description } ?? "")
    }

    /// Whether a page of an origin is the server's own, under any of its names or the one that a request used.
    package func isOwn(_ origin: WebOrigin, _ request: HTTPRequest) -> Bool {
        if origin.description == url(asCalledBy: request) { return true }
        guard let port = baseURL.lastIndex(of: ":").map({ baseURL[$0...] }) else { return false }
        return origin.description == baseURL
            || names.contains {
                let host = "https://" + ($0.contains(":") ? "[\($0)]" : $0).lowercased()
                return origin.description == host + port
                    || port == ":443" && origin.description == host
            }
    }

    /// The URL of another namespace of this server.
    package func url(ofNamespace name: NamespaceName) -> String {
        let port = baseURL.drop { $0 != "/" }.dropFirst(2).drop { $0 != ":" }
        let digits = port.last.map(\.isNumber) == true ? port.drop { !$0.isNumber } : ""
        return "https://\(name).localhost" + (digits.isEmpty ? "" : ":\(digits)")
    }
}

/// Where a user can sign in for the app that sent a request.
struct SignInLink {
    /// The page is at the URL that the request was sent to.
    let baseURL: String
    let apiToken: String
    let container: Container.ID
    /// The page that sent the request; the web token is posted to it.
    let origin: WebOrigin?

    var url: String {
        baseURL + SignInService.path + "?container=" + WireQuery.encoded(container.rawValue)
            + "&apiToken=" + WireQuery.encoded(apiToken)
            + (origin.map { "&origin=" + WireQuery.encoded($0.description) } ?? "")
    }
}
