import CoreLocation
import Foundation

/// What is kept of a long-lived operation: as much as carries it out again in another process.
// Unchecked: an archive that was read, and is only read again.
struct KeptInputs: @unchecked Sendable {
    /// The largest file of an operation.
    static let bytesMax = 64 << 20
    private static let version = 1

    /// Whose operation it is: nobody else's account carries it out.
    let user: String
    let began: Date
    private let kind: any KeptOperation.Type
    private let scope: CKDatabase.Scope
    private let archive: NSKeyedUnarchiver

    private static let kinds: [any KeptOperation.Type] = [
        CKModifyRecordsOperation.self, CKFetchRecordsOperation.self, CKQueryOperation.self,
        CKModifyRecordZonesOperation.self, CKFetchRecordZonesOperation.self,
    ]

    /// The form in which an operation is kept.
    ///
    /// - Throws: `invalidArguments` for what no archive holds, `limitExceeded` for too much.
    static func bytes(
        _ operation: any KeptOperation, _ scope: CKDatabase.Scope, user: String, began: Date
    ) throws(CKError) -> [UInt8] {
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        coder.encode(version, forKey: "version")
        coder.encode(type(of: operation).keptName as NSString, forKey: "kind")
        coder.encode(user as NSString, forKey: "user")
        coder.encode(scope.rawValue, forKey: "scope")
        coder.encode(began.timeIntervalSince1970, forKey: "began")
        if let limit = operation.settings.requestTimeout {
            coder.encode(limit / .seconds(1), forKey: "requestTimeout")
        }
        try operation.encodeInputs(to: coder)
        let bytes = Array(coder.encodedData)
        guard bytes.count <= bytesMax else {
            throw CKError(
                .limitExceeded, "a long-lived operation can have \(bytesMax) bytes of records")
        }
        return bytes
    }

    /// nil: nothing that can be read.
    init?(_ bytes: [UInt8]) {
        guard let archive = try? NSKeyedUnarchiver(forReadingFrom: Data(bytes)) else { return nil }
        archive.requiresSecureCoding = true
        guard archive.decodeInteger(forKey: "version") == Self.version,
            let name = archive.decodeText("kind"),
            let kind = Self.kinds.first(where: { $0.keptName == name }),
            let user = archive.decodeText("user"),
            let scope = CKDatabase.Scope(rawValue: archive.decodeInteger(forKey: "scope"))
        else { return nil }
        self.user = user
        self.kind = kind
        self.scope = scope
        self.archive = archive
        began = Date(timeIntervalSince1970: archive.decodeDouble(forKey: "began"))
    }

    /// The operation, to be added to its container again.
    ///
    /// - Throws: `internalError` when its inputs are not whole.
    func makeOperation(_ id: CKOperation.ID, _ file: KeptFile) throws(CKError) -> CKOperation {
        let operation = kind.init()
        guard operation.decodeInputs(from: archive) else {
            throw CKError(.internalError, "cannot read the stored operation")
        }
        operation.operationID = id
        operation.isLongLived = true
        operation.keptScope = scope
        operation.keptUser = user
        operation.keptFile.withLock { $0 = file }
        if archive.containsValue(forKey: "requestTimeout") {
            operation.timeoutIntervalForRequest = archive.decodeDouble(forKey: "requestTimeout")
        }
        return operation
    }
}
