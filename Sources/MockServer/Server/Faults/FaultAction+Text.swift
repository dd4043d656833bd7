import CloudModel

extension FaultAction {
    /// The action in its text form, such as `THROTTLED retry=30s` or `cut after commit`.
    package var text: String {
        switch self {
        case .error(let code, let wait, let reason):
            code.rawValue + Self.retry(wait) + (reason.map { " \"reason=\($0)\"" } ?? "")
        case .itemError(let code, let items, let wait):
            code.rawValue + " on " + items.text + Self.retry(wait)
        case .dropItems(let items): "drop " + items.text
        case .repeatItems(let items): "repeat " + items.text
        case .delay(let milliseconds): "delay \(milliseconds)ms"
        case .cutBeforeCommit: "cut before commit"
        case .cutAfterCommit: "cut after commit"
        case .staleZoneList: "stale zone list"
        case .emptyPage: "empty page"
        case .repeatPage: "repeat page"
        case .recreateZone(let records): "recreate zone with \(records) records"
        case .throttle(let rate, let burst): "throttle \(Self.plain(rate))/s burst \(burst)"
        }
    }

    private static func retry(_ seconds: Double?) -> String {
        seconds.map { " retry=\(plain($0))s" } ?? ""
    }

    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// Reads the text form.
    init(words: ArraySlice<FaultWord>) throws(FaultError) {
        guard let first = words.first else {
            throw FaultError("no action after \"->\"", suggestion: "-> THROTTLED retry=1s")
        }
        let texts = words.map(\.text)
        switch texts[0] {
        case "cut":
            switch texts.dropFirst() {
            case ["before", "commit"]: self = .cutBeforeCommit
            case ["after", "commit"]: self = .cutAfterCommit
            default: throw Self.unread(first, nearest: "cut after commit")
            }
        case "stale" where texts == ["stale", "zone", "list"]: self = .staleZoneList
        case "empty" where texts == ["empty", "page"]: self = .emptyPage
        case "repeat" where texts == ["repeat", "page"]: self = .repeatPage
        case "drop", "repeat":
            guard texts.count == 3, let items = FaultItems(texts[1], texts[2]) else {
                throw Self.unread(first, nearest: "\(texts[0]) 1 items")
            }
            self = texts[0] == "drop" ? .dropItems(items) : .repeatItems(items)
        case "delay":
            guard texts.count == 2, let wait = Self.seconds(texts[1]) else {
                throw Self.unread(first, nearest: "delay 50ms")
            }
            self = .delay(milliseconds: Int((wait * 1000).rounded()))
        case "recreate":
            self = .recreateZone(records: try Self.recreated(texts, at: first))
        case "throttle":
            guard texts.count == 2 || texts.count == 4 && texts[2] == "burst",
                texts[1].hasSuffix("/s"), let rate = Double(texts[1].dropLast(2)),
                let burst = texts.count == 4 ? Int(texts[3]) : 1
            else { throw Self.unread(first, nearest: "throttle 10/s burst 20") }
            self = .throttle(perSecond: rate, burst: burst)
        default:
            self = try Self.error(words)
        }
    }

    private static func recreated(_ texts: [String], at word: FaultWord) throws(FaultError) -> Int {
        switch texts.dropFirst() {
        case ["zone"]: return 1
        case let rest
        where rest.count == 4 && rest.starts(with: ["zone", "with"])
            && (texts[4] == "records" || texts[4] == "record"):
            if let records = Int(texts[3]) { return records }
        default: break
        }
        throw unread(word, nearest: "recreate zone with 3 records")
    }

    /// `CODE [on N|all items|records] [retry=30s] ["reason=…"]`
    private static func error(_ words: ArraySlice<FaultWord>) throws(FaultError) -> FaultAction {
        var words = words
        let first = words.removeFirst()
        guard let code = CloudError.Code(rawValue: first.text), code.isServiceCode else {
            let legal =
                CloudError.Code.allCases.filter(\.isServiceCode).map(\.rawValue)
                + [
                    "delay 50ms", "cut before commit", "cut after commit", "stale zone list",
                    "empty page", "repeat page", "drop 1 items", "repeat 1 items",
                    "recreate zone with 3 records",
                    "throttle 10/s burst 20",
                ]
            let whole = ([first.text] + words.map(\.text)).joined(separator: " ")
            throw FaultError(
                "unknown action \"\(first.text)\"",
                suggestion: NearestName.closest(to: whole, among: legal), column: first.column)
        }
        var wait: Double?
        var reason: String?
        var items: FaultItems?
        while let word = words.popFirst() {
            if word.text == "on", let count = words.popFirst(), let noun = words.popFirst(),
                let read = FaultItems(count.text, noun.text)
            {
                items = read
            } else if word.text.hasPrefix("retry="), let value = seconds(word.text.dropFirst(6)) {
                wait = value
            } else if word.text.hasPrefix("reason=") {
                reason = String(word.text.dropFirst(7))
            } else {
                throw unread(word, nearest: "\(code.rawValue) on 2 items retry=30s")
            }
        }
        if let items { return .itemError(code, items, retryAfterSeconds: wait) }
        return .error(code, retryAfterSeconds: wait, reason: reason)
    }

    private static func seconds(_ text: some StringProtocol) -> Double? {
        let number: Double?
        if text.hasSuffix("ms") {
            number = Double(text.dropLast(2)).map { $0 / 1000 }
        } else if text.hasSuffix("s") {
            number = Double(text.dropLast(1))
        } else {
            number = Double(text)
        }
        return number.flatMap { abs($0) <= 1e9 ? $0 : nil }
    }

    private static func unread(_ word: FaultWord, nearest: String) -> FaultError {
        FaultError(
            "\"\(word.text)\" is not understood", suggestion: nearest, column: word.column)
    }
}
