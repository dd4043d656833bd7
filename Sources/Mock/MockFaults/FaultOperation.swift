import CloudWire

/// The operations that a fault matches.
package struct FaultOperation: Sendable, Hashable, CustomStringConvertible {
    /// `any`, `reads` or `writes`, a group such as `records/*`, or a path such as `zones/modify`.
    package let description: String
    /// The paths of the operations it matches.
    package let selected: [String]

    /// Every operation of the server.
    package static let paths =
        WireOperation.standard.map(\.rawValue) + WireTransfer.allCases.map(\.rawValue)
    /// All texts that can be parsed.
    package static let names =
        ["any", "reads", "writes"] + Set(paths.map { $0.prefix { $0 != "/" } + "/*" }).sorted()
        + paths

    /// Other names of operations.
    static let spoken = [
        "request": "any", "requests": "any", "read": "reads", "write": "writes",
        "modify": "records/modify", "query": "records/query", "queries": "records/query",
        "lookup": "records/lookup", "lookups": "records/lookup", "changes": "changes/*",
        "zone-list": "zones/list", "zone-lookup": "zones/lookup", "zone-modify": "zones/modify",
        "zone-changes": "changes/zone", "database-changes": "changes/database",
        "upload": "assets/upload", "uploads": "assets/upload", "download": "assets/download",
        "downloads": "assets/download", "subscription-modify": "subscriptions/modify",
    ]

    /// Every operation.
    static let any = FaultOperation(description: "any", selected: paths)

    /// The paths of the operations for which `isSuch` returns true.
    static func paths(_ isSuch: (WireOperation.Facts) -> Bool) -> [String] {
        WireOperation.standard.filter { isSuch($0.facts) }.map(\.rawValue)
    }

    private init(description: String, selected: [String]) {
        self.description = description
        self.selected = selected
    }

    /// Reads one of ``names``, or another name of one; nil: it is neither.
    package init?(_ name: String) {
        let text = Self.spoken[name] ?? name
        guard Self.names.contains(text) else { return nil }
        description = text
        switch text {
        case "any": selected = Self.paths
        case "reads":
            selected = Self.paths { !$0.isModifying } + [WireTransfer.download.rawValue]
        case "writes":
            selected = Self.paths { $0.isModifying } + [WireTransfer.upload.rawValue]
        case _ where text.hasSuffix("*"):
            selected = Self.paths.filter { $0.hasPrefix(text.dropLast()) }
        default: selected = [text]
        }
    }

    /// Whether it matches the operation of `path`.
    package func matches(_ path: String) -> Bool {
        description == Self.any.description || selected.contains(path)
    }
}
