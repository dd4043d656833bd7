import HTTPServer

extension MockApplication {
    /// The server's address as a client knows it, whose port another may have forwarded: what all addresses
    /// in answers begin with. One that calls by a name that the certificate lacks gets the server's own.
    func ownURL(asCalledBy request: HTTPRequest) -> String {
        guard let host = request["host"] else { return baseURL }
        // Most requests come by the same name.
        if let lastCall, lastCall.host == host { return lastCall.url }
        let url = ownURL(calledBy: host)
        lastCall = (host, url)
        return url
    }

    private func ownURL(calledBy host: String) -> String {
        guard let origin = WebOrigin("https://" + host) else { return baseURL }
        if let namespace, NamespaceName.label(ofHost: String(origin.host)) == namespace.description
        {
            return origin.description
        }
        let isCertified = configuration.certifiedNames.contains { name in
            let name = name.lowercased()
            guard name.hasPrefix("*.") else { return name == origin.host }
            return origin.host.drop { $0 != "." } == name.dropFirst()
        }
        guard isCertified else { return baseURL }
        // Who cannot resolve a namespace's host calls it by the server's own.
        return origin.description
            + (namespace.map { NamespaceChoice.pathPrefix + $0.description } ?? "")
    }
}
