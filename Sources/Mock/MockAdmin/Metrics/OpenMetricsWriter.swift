/// Writes an exposition of OpenMetrics.
///
/// - SeeAlso: <https://prometheus.io/docs/specs/om/open_metrics_spec/>
struct OpenMetricsWriter {
    /// The media type of what is written.
    static let mediaType = "application/openmetrics-text; version=1.0.0; charset=utf-8"
    private static let prefix = "cksweep_mock_"

    /// A number that something has.
    enum Kind: String {
        /// It only grows.
        case counter
        case gauge
    }

    private(set) var text = ""
    private var family = ""

    /// Begins a family of samples, which follow.
    ///
    /// - Parameters:
    ///   - name: Ends in the unit, where there is one.
    ///   - unit: Such as `bytes`; nil: the number counts things.
    mutating func begin(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
        precondition(unit.map { name.hasSuffix("_" + $0) } ?? true, "a name ends in its unit")
        family = Self.prefix + name + (kind == .counter ? "_total" : "")
        text += "# TYPE \(Self.prefix)\(name) \(kind.rawValue)\n"
        if let unit { text += "# UNIT \(Self.prefix)\(name) \(unit)\n" }
        text += "# HELP \(Self.prefix)\(name) \(Self.escaped(help))\n"
    }

    /// Writes a sample of the family that was begun last.
    mutating func add(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
        add("\(value)", labels)
    }

    /// The same in seconds.
    ///
    /// - Parameter microseconds: 0 or more.
    mutating func add(microseconds: Int64, _ labels: KeyValuePairs<String, String> = [:]) {
        let rest = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        add("\(microseconds / 1_000_000).\(rest)", labels)
    }

    private mutating func add(_ value: String, _ labels: KeyValuePairs<String, String>) {
        text += family
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
            text += "{" + pairs.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    /// Ends the exposition.
    mutating func end() { text += "# EOF\n" }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
