import CloudModel
import Foundation

/// Asks a predicate made from a format for what it looks for.
final class PredicateProbe {
    var filters: Result<[Query.Filter], CKError>?
}

/// Reads predicates.
enum PredicateReader {
    /// What a predicate asks of the service.
    static func filters(of predicate: NSPredicate) -> Result<[Query.Filter], CKError> {
        if let compound = predicate as? NSCompoundPredicate {
            guard compound.compoundPredicateType == .and else {
                return refused("only AND joins conditions in a query")
            }
            var all: [Query.Filter] = []
            for part in compound.subpredicates {
                switch filters(of: part) {
                case .success(let some): all += some
                case .failure(let error): return .failure(error)
                }
            }
            return .success(all)
        }
        if predicate.isEqual(NSPredicate(value: true)) { return .success([]) }
        if predicate.isEqual(NSPredicate(value: false)) {
            return refused("a query that no record can match")
        }
        let probe = PredicateProbe()
        _ = predicate.evaluate(with: probe)
        return probe.filters
            ?? refused("a predicate made from a block cannot be sent to the service")
    }

    private static func refused(_ reason: String) -> Result<[Query.Filter], CKError> {
        .failure(CKError(.invalidArguments, reason))
    }
}
