import CloudModel
import CloudWire
import Foundation

// What apps archive is kept as the web services spell it.
extension NSCoder {
    func encode(_ command: CloudCommand, forKey key: String) {
        encode(Data(WireRequest.body(of: command)) as NSData, forKey: key)
    }

    /// The command under a key; nil when there is none that can be read.
    func decodeCommand(_ operation: WireOperation, forKey key: String) -> CloudCommand? {
        guard containsValue(forKey: key), let bytes = decodeObject(of: NSData.self, forKey: key)
        else { return nil }
        return try? CommandDecoder().decode(operation, body: Array(Data(referencing: bytes)))
    }
}

extension FieldSlot {
    /// The name that stands for any field's in archives.
    private static let name = "f"

    /// The key of the reason why a value is refused: without it the field would be cleared by the
    /// first save after the archive was read.
    private static let refusal = "refused"

    /// The value as archives keep it; nil for an asset of which nothing is known.
    var archived: NSObject? {
        switch self {
        case .value(let value):
            let operation = RecordOperation(
                .forceUpdate, recordName: Self.name, recordType: Self.name,
                fields: [Self.name: Field(value)])
            let command = CloudCommand.write(
                .modifyRecords(RecordModifyRequest(operations: [operation])))
            return Data(WireRequest.body(of: command)) as NSData
        case .file(let asset): return asset.archived
        case .files(let assets): return assets.compactMap { $0.archived } as NSArray
        case .refused(let type, _): return [Self.refusal: type] as NSDictionary
        }
    }

    /// Reads ``archived``; nil for what is not one.
    init?(archived value: Any) {
        if let path = value as? NSString {
            self = .file(CKAsset(fileURL: URL(fileURLWithPath: path as String)))
            return
        }
        if let refused = value as? NSDictionary {
            guard let type = refused[Self.refusal] as? String else { return nil }
            self = .refused(type)
            return
        }
        if let list = value as? NSArray {
            let assets = list.compactMap { FieldSlot(archived: $0)?.asset }
            guard assets.count == list.count else { return nil }
            self.init(assets)
            return
        }
        guard let bytes = value as? NSData,
            case .write(.modifyRecords(let request))? = try? CommandDecoder().decode(
                .modifyRecords, body: Array(Data(referencing: bytes))),
            let field = request.operations.first?.fields[Self.name] ?? nil
        else { return nil }
        self = .value(field.value)
    }
}

extension CKAsset {
    /// What the service knows of the file, which can be fetched again; else where it is.
    fileprivate var archived: NSObject? {
        if let stored { return FieldSlot.value(.asset(stored)).archived }
        return fileURL.map { $0.path as NSString }
    }
}

extension FieldSlot {
    fileprivate var asset: CKAsset? {
        switch self {
        case .file(let asset): asset
        case .value(.asset(let stored)): CKAsset(stored)
        case .value, .files, .refused: nil
        }
    }
}
