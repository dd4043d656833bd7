/// Which of many is meant.
public enum INMediaSortOrder: Int, Sendable {
    /// Nobody said.
    case unknown
    /// The newest.
    case newest
    /// The oldest.
    case oldest
    /// The best.
    case best
    /// The worst.
    case worst
    /// A popular one.
    case popular
    /// An unpopular one.
    case unpopular
    /// One that becomes popular.
    case trending
    /// A recommended one.
    case recommended
}
