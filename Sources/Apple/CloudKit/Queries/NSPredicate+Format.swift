import CloudModel
public import Foundation

/// Predicates in words; Foundation on Linux has none of its own.
///
/// The subset that CloudKit can ask for. Comparisons of a field's name (also `%K`) with a value
/// (`%@`, `%d` and their like, a number, a text in quotes, `TRUE`, `FALSE`, a list in braces):
/// `=`, `==`, `!=`, `<>`, `<`, `<=`, `>`, `>=`, `IN`, `BETWEEN`, `BEGINSWITH`; `field CONTAINS
/// value` and `ANY field = value` for lists; `self CONTAINS 'words'` and `allTokens
/// TOKENMATCHES[cdl] %@` for full text; `distanceToLocation:fromLocation:(field, %@) < metres`;
/// `NOT` before a single one of these where the service has its opposite; any number of them
/// joined by `AND`, in parentheses at will; `TRUEPREDICATE`. `OR`, `ENDSWITH`, `LIKE`, `MATCHES`
/// and options such as `[c]` are refused.
///
/// What is refused, or malformed, is told when a query with the predicate runs, with the
/// position; evaluating it finds nothing. The others can be evaluated with records, and with
/// dictionaries of values that fields can hold.
extension NSPredicate {
    /// A predicate in words, with what stands for its `%` signs.
    public convenience init(format predicateFormat: String, _ arguments: Any...) {
        self.init(format: predicateFormat, argumentArray: arguments)
    }

    /// A predicate in words, with what stands for its `%` signs.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(PredicateParser.filters(predicateFormat, arguments ?? []))
    }

    /// What the service looks for, as a predicate.
    convenience init(filters: [Query.Filter]) { self.init(.success(filters)) }

    private convenience init(_ filters: Result<[Query.Filter], CKError>) {
        self.init { object, _ in
            guard let probe = object as? PredicateProbe else {
                switch filters {
                case .success(let filters): return filters.allSatisfy { $0.fits(object) }
                case .failure: return false
                }
            }
            probe.filters = filters
            return true
        }
    }
}
