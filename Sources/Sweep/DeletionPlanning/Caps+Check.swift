import Configuration

extension Caps {
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
