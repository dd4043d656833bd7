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
    /// There is no type.
    case empty
    /// A type of the forum that made the format.
    case nfcWellKnown
    /// A media type.
    case media
    /// A whole address.
    case absoluteURI
    /// A type of somebody else.
    case nfcExternal
    /// Not said.
    case unknown
    /// As in the record before.
    case unchanged
}
