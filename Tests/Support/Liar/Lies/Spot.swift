/// What a lie is about: an operation on one of the databases.
package struct Spot: Sendable, Hashable {
    /// nil: every operation.
    package var operation: Operation?
    /// nil: every database.
    package var scope: Scope?
    /// Whether it is about the records in a zone's changes, not about the zones.
    package var isInner = false

    package static let everything = Spot()
    /// The files beside records.
    package static let downloads = Spot(operation: .download)
    package static func `private`(_ operation: Operation) -> Spot {
        Spot(operation: operation, scope: .private)
    }
    package static func `public`(_ operation: Operation) -> Spot {
        Spot(operation: operation, scope: .public)
    }
    package static func shared(_ operation: Operation) -> Spot {
        Spot(operation: operation, scope: .shared)
    }
    /// The records in the changes of private zones.
    package static let recordChanges = Spot(
        operation: .zoneChanges, scope: .private, isInner: true)

    /// The records in the changes of zones that others share.
    package static let sharedRecordChanges = Spot(
        operation: .zoneChanges, scope: .shared, isInner: true)

    package var name: String {
        let words = [scope?.rawValue, operation?.rawValue].compactMap { $0 }
        let name = words.isEmpty ? "everything" : words.joined(separator: " ")
        return name + (isInner ? " within zones" : "")
    }

    func matches(_ request: Request) -> Bool {
        (scope == nil || request.scope == scope)
            && (operation == nil || request.operation == operation)
    }
}
