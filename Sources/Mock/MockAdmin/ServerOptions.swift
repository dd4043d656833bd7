import Basics
import CloudWire
import JSON
package import MockService
package import MockStore

/// What the switches of ``ServerOption/table`` are set to.
package struct ServerOptions {
    package var store: MockOptions
    package var singleUseTokens: Bool
    package var takesUnboundTokens: Bool
    package var checksClockSkew: Bool
    package var webTokenSecondsMax: Int
    package var throttle: RequestThrottle.Rate
    package var checksClients: Bool

    package init(
        store: MockOptions = MockOptions(), singleUseTokens: Bool = false,
        takesUnboundTokens: Bool = true, checksClockSkew: Bool = true,
        webTokenSecondsMax: Int = Int(WireLimits.webSessionSecondsMax),
        throttle: RequestThrottle.Rate = RequestThrottle.Rate(), checksClients: Bool = false
    ) {
        self.store = store
        self.singleUseTokens = singleUseTokens
        self.takesUnboundTokens = takesUnboundTokens
        self.checksClockSkew = checksClockSkew
        self.webTokenSecondsMax = webTokenSecondsMax
        self.throttle = throttle
        self.checksClients = checksClients
    }

    /// The faults that do what settings of earlier versions did.
    static let faultsInstead = [
        "replicaLagMilliseconds": "changes/* by user ann by device phone -> stale 30s"
    ]

    static var names: [String] { ServerOption.table.map(\.name) }

    /// These with the switches set that a JSON object names, all or none.
    func changed(by body: JSONValue) throws(MockError) -> ServerOptions {
        var options = self
        for option in ServerOption.table {
            if let value = body.present(option.name) { try option.set(value, in: &options) }
        }
        return options
    }

    /// Sets one switch.
    ///
    /// - Parameter assignment: Such as `emptyPages=3`.
    package mutating func set(_ assignment: String) throws(MockError) {
        let parts = assignment.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        guard let option = ServerOption.table.first(where: { $0.name == parts[0] }) else {
            if let fault = Self.faultsInstead[parts[0]] {
                throw MockError(
                    "there is no setting \"\(parts[0])\"; use a fault such as \"\(fault)\"")
            }
            let near = NearestName.hint(for: parts[0], among: Self.names)
            throw MockError("there is no setting \"\(parts[0])\"\(near)")
        }
        guard parts.count == 2 else {
            throw MockError(
                "\(option.name) needs a value, such as \(option.name)=\(option.standard)")
        }
        try option.set(parts[1], in: &self)
    }

    func write(to json: inout JSONWriter) {
        for option in ServerOption.table { option.write(self, to: &json) }
    }
}
