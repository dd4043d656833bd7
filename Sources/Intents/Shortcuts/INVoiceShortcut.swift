public import Foundation

/// A shortcut that the user recorded a phrase for. Only the user can delete it.
public final class INVoiceShortcut: NSObject, NSCopying {
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

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
