public import Foundation

/// Something sent with a message; a donation stores its name, never its bytes.
public final class INSendMessageAttachment: NSObject, NSCopying, Sendable {
    /// The recording that is sent.
    public let audioMessageFile: INFile?

    /// A recording.
    public init(audioMessageFile: INFile?) { self.audioMessageFile = audioMessageFile }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension INSendMessageAttachment: StorableValue {
    var storedParts: [String: Any?] { ["audioMessageFile": audioMessageFile] }

    static func restore(_ parts: [String: Any]) -> Self? {
        Self(audioMessageFile: parts["audioMessageFile"] as? INFile)
    }
}
