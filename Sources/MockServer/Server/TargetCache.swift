import CloudWire

/// What the targets of late requests mean, so that a client that asks often is parsed once.
///
/// A client's target stays the same between two of its tokens.
struct TargetCache {
    /// A request target of the service, taken apart.
    final class Target {
        fileprivate let method: String
        fileprivate let text: String
        /// Its query holds only what the decoder looks for.
        let route: WireRoute
        let apiToken: String?
        let webToken: String?

        fileprivate init(
            method: String, text: String, route: WireRoute, apiToken: String?, webToken: String?
        ) {
            self.method = method
            self.text = text
            self.route = route
            self.apiToken = apiToken
            self.webToken = webToken
        }
    }

    private var known: [String: [String: Target]] = [:]
    private var count = 0
    /// Asked for last: requests of one client follow one another, and hashing takes its time.
    private var latest: Target?
    private static let countMax = 512
    private static let bytesMax = 2048

    /// Takes a target apart.
    mutating func target(
        method: String, _ text: String
    ) throws(WireRouteError) -> Target {
        if let latest, latest.text == text, latest.method == method { return latest }
        if let target = known[method]?[text] {
            latest = target
            return target
        }
        let cut = text.utf8.firstIndex(of: UInt8(ascii: "?"))
        let path = cut.map { String(text[..<$0]) } ?? text
        let query = cut.map { String(text[text.index(after: $0)...]) } ?? ""
        let route = try WireRoute.parse(method: method, path: path, query: query)
        let target = Target(
            method: method, text: text,
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
