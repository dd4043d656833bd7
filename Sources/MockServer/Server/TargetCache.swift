import CloudWire

/// What the targets of late requests mean, so that a client that asks often is parsed once.
///
/// A client's target stays the same between two of its tokens.
struct TargetCache {
    /// A request target of the service, taken apart.
    struct Target {
        /// Its query holds only what the decoder looks for.
        let route: WireRoute
        let apiToken: String?
        let webToken: String?
    }

    private var known: [String: [String: Target]] = [:]
    private var count = 0
    private static let countMax = 512
    private static let bytesMax = 2048

    /// Takes a target apart.
    mutating func target(
        method: String, _ text: String
    ) throws(WireRouteError) -> Target {
        if let target = known[method]?[text] { return target }
        let cut = text.utf8.firstIndex(of: UInt8(ascii: "?"))
        let path = cut.map { String(text[..<$0]) } ?? text
        let query = cut.map { String(text[text.index(after: $0)...]) } ?? ""
        let route = try WireRoute.parse(method: method, path: path, query: query)
        let target = Target(
            route: WireRoute(
                address: route.address, operation: route.operation,
                query: WireQuery(
                    route.query.wantsCurrentSyncToken ? "getCurrentSyncToken=true" : "")),
            apiToken: route.query.apiToken, webToken: route.query.webAuthToken)
        if text.utf8.count <= Self.bytesMax {
            if count >= Self.countMax {
                known = [:]
                count = 0
            }
            known[method, default: [:]][text] = target
            count += 1
        }
        return target
    }
}
