/// A request to one database, of either kind: what the wire carries and the mock server applies.
package enum CloudCommand: Sendable, Hashable {
    case read(CloudRead)
    case write(CloudWrite)

    /// Whether the request changes data, or access to it.
    package var isModifying: Bool {
        switch self {
        case .read: false
        case .write: true
        }
    }

    /// The operation's path below the database, such as `zones/modify`.
    package var operationPath: String {
        switch self {
        case .read(let read): read.operationPath
        case .write(let write): write.operationPath
        }
    }
}
