internal import CoreLocation
public import Foundation

/// A shortcut that the user recorded a phrase for. Only the user can delete it.
public final class INVoiceShortcut: NSObject, NSCopying, NSSecureCoding {
    /// The system's name for it.
    public let identifier: UUID
    /// What the user says.
    public let invocationPhrase: String
    /// What it does.
    public let shortcut: INShortcut

    init(identifier: UUID, invocationPhrase: String, shortcut: INShortcut) {
        self.identifier = identifier
        self.invocationPhrase = invocationPhrase
        self.shortcut = shortcut
    }

    public static var supportsSecureCoding: Bool { true }

    /// The shortcut that an archive holds; nil when a part is missing.
    public convenience init?(coder: NSCoder) {
        guard let name = Archive.text("identifier", in: coder),
            let identifier = UUID(uuidString: name),
            let phrase = Archive.text("phrase", in: coder),
            let kept = coder.decodeIfThere(INShortcutReference.self, "shortcut")
        else { return nil }
        self.init(identifier: identifier, invocationPhrase: phrase, shortcut: kept.shortcut)
    }

    public func encode(with coder: NSCoder) {
        Archive.encode(text: identifier.uuidString, "identifier", in: coder)
        Archive.encode(text: invocationPhrase, "phrase", in: coder)
        coder.encode(INShortcutReference(shortcut), forKey: "shortcut")
    }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
