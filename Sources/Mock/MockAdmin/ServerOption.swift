import Basics
import CloudModel
import CloudWire
import JSON
import MockFaults
import MockService
import MockStore

/// One switch of the server: what it is called, what it can be set to, and what it does.
///
/// ``table`` is the only list of them. `--option`, the help text, the article and
/// `GET /_mock/v1/options` are made from it.
package struct ServerOption {
    package let name: String
    /// What it does, in words that begin in lower case and have no full stop.
    package let about: String
    let setting: Setting

    /// Where it is kept, and what may stand there.
    package enum Setting {
        case flag(WritableKeyPath<ServerOptions, Bool>)
        case number(WritableKeyPath<ServerOptions, Int>, ClosedRange<Int>)
        case choice(WritableKeyPath<ServerOptions, String>, [String])
    }

    private init(_ name: String, _ setting: Setting, _ about: String) {
        self.name = name
        self.about = about
        self.setting = setting
    }

    /// What it can be set to, as help shows it: `true|false`, `refuse|purge|ignore`, `0...1000`.
    package var values: String {
        switch setting {
        case .flag: "true|false"
        case .number(_, let range): "\(range.lowerBound)...\(range.upperBound)"
        case .choice(_, let choices): choices.joined(separator: "|")
        }
    }

    /// What it holds in JSON.
    private var shape: Shape {
        switch setting {
        case .flag: .flag
        case .number(_, let range): .integer(Int64(range.lowerBound)...Int64(range.upperBound))
        case .choice(_, let choices): .choice(choices)
        }
    }

    /// The switches as the keys of requests and answers.
    static var members: [Shape.Member] { table.map { Shape.Member($0.name, $0.shape) } }

    /// Its default.
    package var standard: String { text(in: ServerOptions()) }

    func text(in options: ServerOptions) -> String {
        switch setting {
        case .flag(let path): "\(options[keyPath: path])"
        case .number(let path, _): "\(options[keyPath: path])"
        case .choice(let path, _): options[keyPath: path]
        }
    }

    /// Sets it to what a text says.
    func set(_ text: String, in options: inout ServerOptions) throws(MockError) {
        switch setting {
        case .flag(let path):
            guard let flag = Bool(text) else { throw refusal(of: text) }
            options[keyPath: path] = flag
        case .number(let path, let range):
            guard let number = Int(text), range.contains(number) else { throw refusal(of: text) }
            options[keyPath: path] = number
        case .choice(let path, let choices):
            guard choices.contains(text) else {
                throw MockError(
                    "\(refusal(of: text).reason)\(NearestName.hint(for: text, among: choices))")
            }
            options[keyPath: path] = text
        }
    }

    /// Sets it to a JSON value of its kind.
    func set(_ value: JSONValue, in options: inout ServerOptions) throws(MockError) {
        let text: String? =
            switch setting {
            case .flag: value.bool.map { "\($0)" }
            case .number: value.int64.map { "\($0)" }
            case .choice: value.string
            }
        guard let text else { throw value.refusal(rule) }
        try set(text, in: &options)
    }

    private func refusal(of text: String) -> MockError {
        MockError("\(name) \"\(text)\" \(rule)")
    }

    /// What a value has to be.
    private var rule: String {
        switch setting {
        case .flag, .choice: "must be one of \(values)"
        case .number(_, let range):
            "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
    }

    func write(_ options: ServerOptions, to json: inout JSONWriter) {
        switch setting {
        case .flag(let path): json.member(name, options[keyPath: path])
        case .number(let path, _): json.member(name, options[keyPath: path])
        case .choice(let path, _): json.member(name, options[keyPath: path])
        }
    }

    /// The table as the article has it.
    package static var article: String {
        table.map { option in
            let values = option.values.replacing("|", with: "\\|")
            return "| `\(option.name)` | \(option.about) | `\(values)` | `\(option.standard)` |\n"
        }.joined()
    }

    // MARK: - The table

    /// All of them, in the order in which they are shown.
    package static var table: [ServerOption] { choices + numbers + flags }

    private static var choices: [ServerOption] {
        [
            choice(
                "async", \.store.upkeep,
                "when to run pending work: at once, or when it is simulated; also --async"),
            choice(
                "defaultZoneMode", \.store.defaultZoneMode,
                "what deleting a default zone does: the item fails, its records are deleted, or "
                    + "nothing happens"),
            choice(
                "initialScan", \.store.initialScan,
                "which earlier deletions a feed from its beginning lists: all, none, or those "
                    + "of the same device"),
            choice(
                "atomicFailure", \.store.atomicFailure,
                "how the failure of an atomic batch of several operations is reported: by its "
                    + "items in status 200, or as an error of the request in status 400"),
        ]
    }

    private static var numbers: [ServerOption] {
        [
            number(
                "indexLagMilliseconds", \.store.indexLagMilliseconds, 0...3_600_000,
                "index delay: how long queries do not find what was written"),
            number(
                "indexLagQueries", \.store.indexLagQueries, 0...1000,
                "number of queries of a zone that do not find what was written to it"),
            number(
                "emptyPages", \.store.emptyPages, 0...1000,
                "number of empty pages with more coming before each page with items"),
            number(
                "zoneListLag", \.store.zoneListLag, 0...1000,
                "number of zone lists that still contain a zone after its deletion"),
            number(
                "zoneListLagMilliseconds", \.store.zoneListLagMilliseconds, 0...3_600_000,
                "how long zone lists still contain a zone after its deletion"),
            number(
                "zoneDeletionLag", \.store.zoneDeletionLag, 0...1000,
                "number of reads that still find a zone and its contents after its deletion"),
            number(
                "zoneDeletionLagMilliseconds", \.store.zoneDeletionLagMilliseconds, 0...3_600_000,
                "how long reads still find a zone and its contents after its deletion"),
            number(
                "zoneListPageMax", \.store.zoneListPageMax, 1...100_000,
                "zones in a page of zones/list"),
            number(
                "zoneChangesPageMax", \.store.zoneChangesPageMax, 1...100_000,
                "zones in a page of changes/database"),
            number(
                "recordsPageMax", \.store.recordsPageMax, 1...WireLimits.resultsMax,
                "records in a page"),
            number(
                "operationsMax", \.store.operationsMax, 1...WireLimits.operationsMax,
                "operations, names or zones in a request"),
            number(
                "recordBytesMax", \.store.recordBytesMax, 1...WireLimits.recordBytesMax,
                "bytes of a record's fields"),
            number(
                "referrersMax", \.store.referrersMax, 1...WireLimits.deleteSelfReferencesMax,
                "records that refer to one target by DELETE_SELF"),
            number(
                "cascadeMax", \.store.cascadeMax, 1...WireLimits.cascadeMax,
                "records that are deleted with one, because they refer to it by DELETE_SELF"),
            number(
                "bodyBytesMax", \.store.bodyBytesMax, 1...WireLimits.requestBytesMax,
                "bytes of a request without its assets"),
            number(
                "assetBytesMax", \.store.assetBytesMax, 1...WireLimits.assetBytesMax,
                "bytes of an asset"),
            number(
                "participantsMax", \.store.participantsMax, 1...Share.participantsMax,
                "participants of a share in addition to its owner"),
            number(
                "throttlePerMinute", \.throttle.perMinute, 0...1_000_000,
                "requests per device and minute; 0: no limit"),
            number(
                "throttleBurst", \.throttle.burst, 1...1_000_000,
                "burst of requests per device before throttlePerMinute applies"),
            number(
                "webTokenSecondsMax", \.webTokenSecondsMax, 1...31_536_000,
                "how long a web token is valid"),
        ]
    }

    private static var flags: [ServerOption] {
        [
            flag(
                "listsDefaultZone", \.store.listsDefaultZone,
                "whether zones/list of a private database contains the default zone"),
            flag(
                "unknownTypeIsEmpty", \.store.unknownTypeIsEmpty,
                "whether a query for an unused type finds nothing instead of failing"),
            flag(
                "autoCreateContainers", \.store.autoCreateContainers,
                "whether an undeclared container is created on its first request; without "
                    + "--any-container the server starts with false"),
            flag(
                "delaysDefaultZoneCascade", \.store.delaysDefaultZoneCascade,
                "whether records that refer to a target in a default zone are deleted one "
                    + "request later"),
            flag(
                "refusesUntypedMismatch", \.store.refusesUntypedMismatch,
                "whether an untyped value of another type is refused even if it could be "
                    + "converted"),
            flag(
                "strictSchema", \.store.strictSchema,
                "whether an unknown type or field is refused in the development environment too"),
            flag(
                "asciiNames", \.store.asciiNames,
                "whether names of records and zones must be ASCII, as documented; the framework "
                    + "stores others"),
            flag(
                "databaseTokenJitter", \.store.databaseTokenJitter,
                "whether a database token's text differs each time"),
            flag(
                "typeFilterLeaks", \.store.typeFilterLeaks,
                "whether desiredRecordTypes of a feed is ignored, as was seen live"),
            flag(
                "check", \.checksClients,
                "whether clients are checked, and GET /_mock/v1/findings lists their errors; "
                    + "also --check"),
            flag(
                "singleUseTokens", \.singleUseTokens,
                "whether a web token is valid for one request only; also --strict-tokens"),
            flag(
                "unboundTokens", \.takesUnboundTokens,
                "whether API tokens and keys without a container are valid for every one: the "
                    + "ready file's apiToken, and those created without a container. The service "
                    + "has no such tokens"),
            flag(
                "checksClockSkew", \.checksClockSkew,
                "whether signed requests must be dated within ten minutes of the server's clock"),
        ]
    }

    private static func flag(
        _ name: String, _ path: WritableKeyPath<ServerOptions, Bool>, _ about: String
    ) -> ServerOption { ServerOption(name, .flag(path), about) }

    private static func number(
        _ name: String, _ path: WritableKeyPath<ServerOptions, Int>, _ range: ClosedRange<Int>,
        _ about: String
    ) -> ServerOption { ServerOption(name, .number(path, range), about) }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ path: WritableKeyPath<ServerOptions, Choice>, _ about: String
    ) -> ServerOption {
        ServerOption(
            name, .choice(path.appending(path: \.spelled), Choice.allCases.map(\.rawValue)), about)
    }
}

extension RawRepresentable<String> {
    /// The value by its name; another name than one of the type's changes nothing.
    fileprivate var spelled: String {
        get { rawValue }
        set { if let value = Self(rawValue: newValue) { self = value } }
    }
}

extension MockOptions {
    fileprivate var indexLagMilliseconds: Int {
        get { Int(indexLag / .milliseconds(1)) }
        set { indexLag = .milliseconds(newValue) }
    }
    fileprivate var zoneListLagMilliseconds: Int {
        get { Int(zoneListLagTime / .milliseconds(1)) }
        set { zoneListLagTime = .milliseconds(newValue) }
    }
    fileprivate var zoneDeletionLagMilliseconds: Int {
        get { Int(zoneDeletionLagTime / .milliseconds(1)) }
        set { zoneDeletionLagTime = .milliseconds(newValue) }
    }
}
