/// What an attribute holds, as far as a query is concerned.
package enum QueryValue: Sendable, Hashable {
    case text(String)
    case number(Double)
    /// Seconds since 1 January 1970, UTC.
    case date(Double)
}
