package import Evidence

/// A report for others than the operator (S11): it names no person, zone or record, quotes no server,
/// and calls people and zones what the run's evidence calls them.
///
/// Pages and tables that leave the house are made of this and of nothing else.
package struct RedactedReport: Sendable {
    /// What is left of the report.
    package let report: SweepReport

    /// - Parameter key: The run's key; nil: the run is forgotten, and whatever is no pseudonym is left
    ///   out.
    package init(_ report: SweepReport, _ key: CaseKey?) { self.report = report.withoutNames(key) }
}
