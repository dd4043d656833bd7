import Basics
import CloudWire
import JSON
import MockStore

/// What the switches of ``ServerOption/table`` are set to.
package struct ServerOptions {
    var store = MockOptions()
    var singleUseTokens = false
    var takesUnboundTokens = true
    var checksClockSkew = true
    var webTokenSecondsMax = Int(WireLimits.webSessionSecondsMax)
    var throttle = RequestThrottle.Rate()
    var checksClients = false

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
    mutating func set(_ assignment: String) throws(MockError) {
        let parts = assignment.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        guard let option = ServerOption.table.first(where: { $0.name == parts[0] }) else {
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
