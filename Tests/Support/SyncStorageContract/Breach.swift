/// A promise of the storage that was not kept.
package struct Breach: Error, CustomStringConvertible {
    package let description: String
}

/// Throws unless something holds.
func hold(_ holds: Bool, _ what: String) throws {
    guard !holds else { return }
    throw Breach(description: "not so: \(what)")
}

/// Throws unless two values are the same.
func same<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
    guard found != expected else { return }
    throw Breach(description: "\(what): \(found) is not \(expected)")
}
