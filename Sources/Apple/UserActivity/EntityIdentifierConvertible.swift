public import Foundation

/// What names an entity of App Intents; for Intents and Core Spotlight alike.
public protocol EntityIdentifierConvertible: Hashable, Sendable {
    /// The name as text.
    var entityIdentifierString: String { get }
}

extension String: EntityIdentifierConvertible {
    /// Itself.
    public var entityIdentifierString: String { self }
}

extension Int: EntityIdentifierConvertible {
    /// Its digits.
    public var entityIdentifierString: String { String(self) }
}

extension UUID: EntityIdentifierConvertible {
    /// Its usual form.
    public var entityIdentifierString: String { uuidString }
}
