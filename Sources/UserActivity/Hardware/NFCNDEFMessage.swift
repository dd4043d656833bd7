public import Foundation

/// What a tag says. Never read here: there is only the empty message.
public final class NFCNDEFMessage: NSObject, Sendable {
    /// Its records.
    public let records: [NFCNDEFPayload]

    /// The message of one empty record that stands for "no tag".
    static let empty = NFCNDEFMessage(records: [NFCNDEFPayload()])

    private init(records: [NFCNDEFPayload]) {
        self.records = records
        super.init()
    }
}

/// One record of a tag's message.
public final class NFCNDEFPayload: NSObject, Sendable {
    /// How ``type`` is to be read.
    public let typeNameFormat: NFCTypeNameFormat
    /// The record's type.
    public let type: Data
    /// The record's name.
    public let identifier: Data
    /// The record's content.
    public let payload: Data

    override init() {
        typeNameFormat = .empty
        type = Data()
        identifier = Data()
        payload = Data()
        super.init()
    }
}

/// How the type of a tag's record is to be read.
public enum NFCTypeNameFormat: UInt8, Sendable {
    case empty
    case nfcWellKnown
    case media
    case absoluteURI
    case nfcExternal
    case unknown
    case unchanged
}
