import AsyncOperations
import CloudModel
public import Foundation

/// A search for records of one type. Mirrors Apple's `CKQuery`.
///
/// The predicate is read when the query is made; what the service cannot look for is told when
/// the query runs, as `invalidArguments` with the position in the format.
// Unchecked: the predicate is Foundation's and never changes; the rest is constant or locked.
public final class CKQuery: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The type of the records.
    public let recordType: CKRecord.RecordType
    /// What must hold of them.
    public let predicate: NSPredicate
    private let filters: Result<[Query.Filter], CKError>
    private let sorts = Locked(SortBox(descriptors: nil))

    /// A search for records of a type that fulfil a predicate.
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        self.recordType = recordType
        self.predicate = predicate
        filters = PredicateReader.filters(of: predicate)
    }

    /// In what order the records come; later entries break ties of earlier ones.
    public var sortDescriptors: [NSSortDescriptor]? {
        get { sorts.withLock { $0 }.descriptors }
        set { sorts.withLock { [box = SortBox(descriptors: newValue)] in $0 = box } }
    }

    /// The query as the service takes it.
    func model() throws(CKError) -> Query {
        var query = Query(recordType: recordType, filters: try filters.get())
        for descriptor in sortDescriptors ?? [] {
            query.sorts.append(try SortReader.sort(of: descriptor))
        }
        return query
    }

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the query to an archive; one that the service cannot take leaves nothing to read.
    public func encode(with coder: NSCoder) {
        guard let query = try? model() else { return }
        coder.encode(.read(.queryRecords(RecordQueryRequest(query: query))), forKey: "query")
    }

    /// Reads a query from an archive.
    public convenience init?(coder: NSCoder) {
        guard
            case .read(.queryRecords(let request))? = coder.decodeCommand(
                .queryRecords, forKey: "query")
        else { return nil }
        let query = request.query
        self.init(recordType: query.recordType, predicate: NSPredicate(filters: query.filters))
        sortDescriptors =
            query.sorts.isEmpty ? nil : query.sorts.map { SortReader.descriptor(of: $0) }
    }

    /// Another query for the same records.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKQuery(recordType: recordType, predicate: predicate)
        copy.sortDescriptors = sortDescriptors
        return copy
    }
}

/// Sort descriptors on their way through a lock.
// Unchecked: descriptors never change.
private struct SortBox: @unchecked Sendable {
    var descriptors: [NSSortDescriptor]?
}
