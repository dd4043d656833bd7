public import Foundation

extension UUID: EntityIdentifierConvertible {
    /// Its usual form.
    public var entityIdentifierString: String { uuidString }
}
