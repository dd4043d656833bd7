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
}
