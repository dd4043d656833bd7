package import HTTPServer

/// Which namespace a request names: by its host `NAME.localhost`, by the header `X-Mock-Namespace`, or by a
/// path that begins with `/~NAME`, as addresses in answers do where the host is the server's own.
package struct NamespaceChoice {
    package static let header = "x-mock-namespace"
    package static let pathPrefix = "/~"

    /// As it was sent; nil: none.
    package let name: String?

    /// Takes the name out of a request's path.
    ///
    /// - Parameter ownNames: Hosts of the server itself, even where they stand below `localhost`.
    /// - Throws: What the request is refused with when it names several.
    package init(takenFrom request: inout HTTPRequest, ownNames: [String]) throws(MockError) {
        var names: [(name: String, place: String)] = []
        if let host = NamespaceName.host(of: request), !ownNames.contains(host),
            let label = NamespaceName.label(ofHost: host)
        {
            names.append((label, "host"))
        }
        if let name = request[Self.header] { names.append((name.lowercased(), "header")) }
        if request.target.hasPrefix(Self.pathPrefix) {
            let rest = request.target.dropFirst(Self.pathPrefix.count)
            let name = rest.prefix { $0 != "/" && $0 != "?" }
            let target = rest.dropFirst(name.count)
            request.target = target.hasPrefix("/") ? String(target) : "/" + target
            names.append((name.lowercased(), "path"))
        }
        for other in names.dropFirst() where other.name != names[0].name {
            throw MockError(
                "the \(names[0].place) names the namespace \"\(names[0].name.prefix(80))\", and the "
                    + "\(other.place) \"\(other.name.prefix(80))\"")
        }
        name = names.first.flatMap { $0.name == NamespaceName.home ? nil : $0.name }
    }
}
