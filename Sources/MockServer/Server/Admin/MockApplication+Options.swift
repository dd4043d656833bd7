import CloudModel
import HTTPServer
import JSON

extension MockApplication {
    private typealias Flag = (name: String, path: WritableKeyPath<MockOptions, Bool>)
    private typealias Number = (
        name: String, path: WritableKeyPath<MockOptions, Int>, range: ClosedRange<Int64>
    )

    /// The switches that can be read and set, by name. All are of ``MockOptions``.
    private static var flags: [Flag] {
        [
            ("listsDefaultZone", \.listsDefaultZone),
            ("unknownTypeIsEmpty", \.unknownTypeIsEmpty),
            ("autoCreateContainers", \.autoCreateContainers),
            ("delaysDefaultZoneCascade", \.delaysDefaultZoneCascade),
            ("refusesUntypedMismatch", \.refusesUntypedMismatch),
            ("strictSchema", \.strictSchema),
            ("databaseTokenJitter", \.databaseTokenJitter),
            ("typeFilterLeaks", \.typeFilterLeaks),
        ]
    }

    private static var numbers: [Number] {
        [
            ("emptyPages", \.emptyPages, 0...1000),
            ("zoneListLag", \.zoneListLag, 0...1000),
            ("zoneListPageMax", \.zoneListPageMax, 1...100_000),
            ("zoneChangesPageMax", \.zoneChangesPageMax, 1...100_000),
            ("recordsPageMax", \.recordsPageMax, 1...200),
            ("operationsMax", \.operationsMax, 1...200),
            ("recordBytesMax", \.recordBytesMax, 1...(1 << 20)),
            ("referrersMax", \.referrersMax, 1...100_000),
        ]
    }

    func listOptions() -> Outcome {
        let options = store.options
        return adminAnswer { writer in
            writer.member("defaultZoneMode", options.defaultZoneMode.rawValue)
            writer.member("initialScan", options.initialScan.rawValue)
            let lag = options.indexLag.components
            writer.key("indexLagMilliseconds")
            writer.int64(lag.seconds * 1000 + lag.attoseconds / 1_000_000_000_000_000)
            for flag in Self.flags { writer.member(flag.name, options[keyPath: flag.path]) }
            for number in Self.numbers {
                writer.member(number.name, options[keyPath: number.path])
            }
            writer.member("singleUseTokens", authenticator.webTokens.isSingleUse)
            writer.member("checksClockSkew", authenticator.checksClockSkew)
            writer.key("webTokenSecondsMax")
            writer.int64(authenticator.webTokens.millisecondsMax / 1000)
        }
    }

    /// Sets the switches named and leaves the others; all or none.
    func putOptions(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        let body = ask.body
        try body.allow(
            ["defaultZoneMode", "initialScan", "indexLagMilliseconds"] + Self.flags.map(\.name)
                + Self.numbers.map(\.name)
                + ["singleUseTokens", "checksClockSkew", "webTokenSecondsMax"])
        var options = store.options
        if let text = try body.text("defaultZoneMode") {
            guard let mode = MockOptions.DefaultZoneMode(rawValue: text) else {
                throw AdminError("defaultZoneMode must be refuse, purge or ignore")
            }
            options.defaultZoneMode = mode
        }
        if let text = try body.text("initialScan") {
            guard let scan = MockOptions.InitialScan(rawValue: text) else {
                throw AdminError("initialScan must be history, live or sameDevice")
            }
            options.initialScan = scan
        }
        if let lag = try body.number("indexLagMilliseconds", in: 0...3_600_000) {
            options.indexLag = .milliseconds(lag)
        }
        for flag in Self.flags {
            if let value = try body.flag(flag.name) { options[keyPath: flag.path] = value }
        }
        for number in Self.numbers {
            if let value = try body.number(number.name, in: number.range) {
                options[keyPath: number.path] = value
            }
        }
        let singleUse = try body.flag("singleUseTokens")
        let skew = try body.flag("checksClockSkew")
        let life = try body.number("webTokenSecondsMax", in: 1...31_536_000)
        store.options = options
        if let singleUse { authenticator.webTokens.isSingleUse = singleUse }
        if let skew { authenticator.checksClockSkew = skew }
        if let life { authenticator.webTokens.millisecondsMax = Int64(life) * 1000 }
        return listOptions()
    }

    func showClock() -> Outcome {
        let now = clock.now
        return adminAnswer { writer in
            writer.member("mode", clock.mode.rawValue)
            writer.key("milliseconds")
            writer.int64(now.milliseconds)
            writer.member("now", now.iso8601)
        }
    }

    /// `{"mode": "frozen", "now": "2026-01-15T08:30:00Z"}`; without `now` the time stays.
    func putClock(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        try ask.body.allow(["mode", "now", "milliseconds"])
        let text = try ask.body.text("mode") ?? clock.mode.rawValue
        guard let mode = ServerClock.Mode(rawValue: text) else {
            throw AdminError("mode must be real or frozen")
        }
        var moment = clock.now
        // Until the year 9999, the last that fits the form of signed requests.
        if let number = try ask.body.number("milliseconds", in: 0...253_402_300_799_999) {
            moment = Timestamp(milliseconds: Int64(number))
        } else if let text = try ask.body.text("now") {
            guard let given = Timestamp(iso8601: text) else {
                throw AdminError("now must look like 2026-01-15T08:30:00Z")
            }
            moment = given
        } else if mode == .real {
            clock.reset()
            return showClock()
        }
        clock.set(moment, mode: mode)
        return showClock()
    }

    func advanceClock(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        try ask.body.allow(["milliseconds", "seconds"])
        let bound: Int64 = 100 * 366 * 86_400
        let seconds = try ask.body.number("seconds", in: -bound...bound) ?? 0
        let milliseconds =
            try ask.body.number("milliseconds", in: (-bound * 1000)...(bound * 1000)) ?? 0
        clock.advance(milliseconds: Int64(seconds) * 1000 + Int64(milliseconds))
        return showClock()
    }
}
