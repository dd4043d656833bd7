/// How much one run may delete at most: more is refused. What is nil has no limit.
///
/// Records inside of zones count like those that are named. To count them, a look reads every zone,
/// so a list without ``records`` and ``percent`` is looked at faster.
package struct Caps: Sendable, Hashable {
    /// What can be capped, by the key that says it.
    package enum Kind: String, Sendable, CaseIterable {
        case zones
        case records
        case percent
    }

    /// Custom zones, and zones of others that are left.
    package var zones: Int?
    package var records: Int?
    /// Of all records that the look saw in scope, how many of a hundred may go; 0 to 100. A list that
    /// keeps something notices by this that a rule keeps less than was meant.
    package var percent: Int?
    /// Where each is said, for people: such as `app.json:23:12`.
    package var places: [Kind: String] = [:]

    package init(zones: Int? = nil, records: Int? = nil, percent: Int? = nil) {
        self.zones = zones
        self.records = records
        self.percent = percent
    }

    /// Whether the records inside of zones that go have to be counted.
    package var countsRecords: Bool { records != nil || percent != nil }
    /// Whether the records inside of zones that stay have to be counted as well.
    package var countsKeptRecords: Bool { percent != nil }

    /// Refuses what names more than the caps allow.
    func check(_ totals: PlanTotals) throws(Refusal) {
        let count = totals.zones + totals.sharedZones
        if let cap = zones, count > cap {
            let what = totals.sharedZones > 0 ? "deletes or leaves" : "deletes"
            throw Refusal(
                .zonesCapExceeded,
                "the plan \(what) \(count) zones, the cap is \(said(cap, .zones))")
        }
        if let cap = records, totals.records > cap {
            throw Refusal(
                .recordsCapExceeded,
                "the plan deletes \(totals.records) records, the cap is \(said(cap, .records))")
        }
    }

    /// Refuses what takes more records along than the caps allow, and what nobody has counted.
    func check(_ census: RecordCensus) throws(Refusal) {
        let uncounted = census.uncountedGoing + (percent == nil ? 0 : census.uncountedStaying)
        if countsRecords, uncounted > 0 {
            let kind: Kind = records == nil ? .percent : .records
            throw Refusal(
                .recordsUncounted,
                "the records of \(uncounted) \(uncounted == 1 ? "zone" : "zones") could not be "
                    + "counted, and there is a cap\(place(of: kind))")
        }
        if let cap = records, census.going > cap {
            throw Refusal(
                .recordsCapExceeded,
                "the plan deletes \(census.going) records, including those in zones; the cap is "
                    + said(cap, .records))
        }
        if let cap = percent, census.isMore(than: cap) {
            throw Refusal(
                .percentCapExceeded,
                "the plan deletes \(census.going) of \(census.going + census.staying) records "
                    + "in scope; the cap is \(said(cap, .percent)) percent")
        }
    }

    private func said(_ cap: Int, _ kind: Kind) -> String { "\(cap)\(place(of: kind))" }

    /// ` ("caps.zones" at app.json:23:12)`
    private func place(of kind: Kind) -> String {
        places[kind].map { " (\"caps.\(kind.rawValue)\" at \($0))" } ?? ""
    }
}
