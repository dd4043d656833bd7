import CloudModel
public import Foundation

/// A position in the results of a query. Equal by value.
///
/// An archive of it holds the query, and the server's marker, which does not stay good for ever.
public final class CKQueryCursor: NSObject, NSSecureCoding, NSCopying, Sendable {
    let request: RecordQueryRequest

    init(_ request: RecordQueryRequest) { self.request = request }

    /// Whether two cursors are the same position of the same query.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKQueryCursor)?.request == request
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { request.hashValue }

    /// Itself: a cursor never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the cursor to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(.read(.queryRecords(request)), forKey: "request")
    }

    /// Reads a cursor from an archive.
    public convenience init?(coder: NSCoder) {
        guard
            case .read(.queryRecords(let request))? = coder.decodeCommand(
                .queryRecords, forKey: "request"), request.continuationMarker != nil
        else { return nil }
        self.init(request)
    }
}

extension CKQueryOperation {
    /// A position in the results of a query.
    ///
    /// The class is not nested, because Foundation on Linux archives no nested classes.
    public typealias Cursor = CKQueryCursor
}
