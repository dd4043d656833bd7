import CloudModel
import CloudWire
import JSON

/// The switches that can be read and set while the server runs.
struct ServerOptions {
    var store: MockOptions
    var singleUseTokens: Bool
    var checksClockSkew: Bool
    var webTokenSecondsMax: Int

    private typealias Number = (
        name: String, path: WritableKeyPath<ServerOptions, Int>, range: ClosedRange<Int64>
    )

    private static var flags: [(name: String, path: WritableKeyPath<ServerOptions, Bool>)] {
        [
            ("listsDefaultZone", \.store.listsDefaultZone),
            ("unknownTypeIsEmpty", \.store.unknownTypeIsEmpty),
            ("autoCreateContainers", \.store.autoCreateContainers),
            ("delaysDefaultZoneCascade", \.store.delaysDefaultZoneCascade),
            ("refusesUntypedMismatch", \.store.refusesUntypedMismatch),
            ("strictSchema", \.store.strictSchema),
            ("databaseTokenJitter", \.store.databaseTokenJitter),
            ("typeFilterLeaks", \.store.typeFilterLeaks),
            ("singleUseTokens", \.singleUseTokens), ("checksClockSkew", \.checksClockSkew),
        ]
    }

    private static var numbers: [Number] {
        [
            ("indexLagMilliseconds", \.store.indexLagMilliseconds, 0...3_600_000),
            ("emptyPages", \.store.emptyPages, 0...1000),
            ("zoneListLag", \.store.zoneListLag, 0...1000),
            ("zoneListPageMax", \.store.zoneListPageMax, 1...100_000),
            ("zoneChangesPageMax", \.store.zoneChangesPageMax, 1...100_000),
            ("recordsPageMax", \.store.recordsPageMax, 1...Int64(WireLimits.resultsMax)),
            ("operationsMax", \.store.operationsMax, 1...Int64(WireLimits.operationsMax)),
            ("recordBytesMax", \.store.recordBytesMax, 1...Int64(WireLimits.recordBytesMax)),
            ("referrersMax", \.store.referrersMax, 1...100_000),
            ("webTokenSecondsMax", \.webTokenSecondsMax, 1...31_536_000),
        ]
    }

    static var names: [String] {
        ["defaultZoneMode", "initialScan"] + numbers.map(\.name) + flags.map(\.name)
    }

    /// Some switches and what they are set to.
    struct Change {
        private var defaultZoneMode: MockOptions.DefaultZoneMode?
        private var initialScan: MockOptions.InitialScan?
        private var numbers: [(path: WritableKeyPath<ServerOptions, Int>, value: Int)] = []
        private var flags: [(path: WritableKeyPath<ServerOptions, Bool>, value: Bool)] = []

        init(_ body: JSONValue) throws(AdminError) {
            defaultZoneMode = try body.choice("defaultZoneMode")
            initialScan = try body.choice("initialScan")
            for (name, path, range) in ServerOptions.numbers {
                if let value = try body.number(name, in: range) { numbers.append((path, value)) }
            }
            for (name, path) in ServerOptions.flags {
                if let value = try body.flag(name) { flags.append((path, value)) }
            }
        }

        func applied(to options: ServerOptions) -> ServerOptions {
            var options = options
            if let defaultZoneMode { options.store.defaultZoneMode = defaultZoneMode }
            if let initialScan { options.store.initialScan = initialScan }
            for (path, value) in numbers { options[keyPath: path] = value }
            for (path, value) in flags { options[keyPath: path] = value }
            return options
        }
    }

    func write(to json: inout JSONWriter) {
        json.member("defaultZoneMode", store.defaultZoneMode.rawValue)
        json.member("initialScan", store.initialScan.rawValue)
        for (name, path, _) in Self.numbers { json.member(name, self[keyPath: path]) }
        for (name, path) in Self.flags { json.member(name, self[keyPath: path]) }
    }
}

extension MockOptions {
    fileprivate var indexLagMilliseconds: Int {
        get { Int(indexLag / .milliseconds(1)) }
        set { indexLag = .milliseconds(newValue) }
    }
}
