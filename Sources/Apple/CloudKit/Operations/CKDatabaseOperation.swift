import Foundation

/// Work for a database.
// Unchecked, as its superclass: apps set it up before they enqueue it.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
    /// Where to work; nil: the private database of the configuration's or the default container.
    public var database: CKDatabase?

    /// The database that the operation works on.
    ///
    /// - Throws: The operation's own refusal: cancelled, out of time, not kept.
    func target() throws(CKError) -> CKDatabase {
        if let refusal = refusal() { throw refusal }
        let settings = settings
        let database = database ?? homeDatabase
        return settings.requestTimeout == nil ? database : CKDatabase(database, settings)
    }

    /// Where to work when nobody has said.
    var homeDatabase: CKDatabase {
        (settings.container ?? .default()).privateCloudDatabase
    }
}

extension Result where Failure == CKError {
    /// The same result as blocks take it.
    var erased: Result<Success, any Error> { mapError { $0 as any Error } }

    /// What went wrong, if anything.
    var failure: CKError? { if case .failure(let error) = self { error } else { nil } }

    /// The value, if there is one.
    var value: Success? { if case .success(let value) = self { value } else { nil } }
}
