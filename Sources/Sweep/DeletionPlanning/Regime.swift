package import Basics

/// The law that says until when a request to delete has to be answered.
///
/// Days are those of UTC. A last day that is a Saturday, a Sunday or a holiday is not moved, although the
/// law may allow it: this tool is early rather than late.
package enum Regime: String, Sendable, CaseIterable {
    /// One month from receipt; two further months where the person is told within the first.
    /// The day of receipt does not count, and a month without that day ends with its last.
    ///
    /// - SeeAlso: GDPR, Article 12(3), <https://eur-lex.europa.eu/eli/reg/2016/679/oj>, and for
    ///   how months are counted Regulation 1182/71, Article 3,
    ///   <https://eur-lex.europa.eu/eli/reg/1971/1182/oj>
    case gdpr
    /// 45 calendar days from receipt; 45 further ones where the person is told within the first.
    ///
    /// - SeeAlso: California Consumer Privacy Act, Civil Code 1798.130(a)(2), and its regulations,
    ///   California Code of Regulations, title 11, section 7021
    case ccpa

    /// The last day on which an answer is in time.
    package func due(receivedOn day: CivilDate) -> CivilDate {
        switch self {
        case .gdpr: day.adding(months: 1)
        case .ccpa: day.adding(days: 45)
        }
    }

    /// The same, where the time was extended.
    package func dueIfExtended(receivedOn day: CivilDate) -> CivilDate {
        switch self {
        case .gdpr: day.adding(months: 3)
        case .ccpa: day.adding(days: 90)
        }
    }
}
