package import CloudModel

/// One item that could not be deleted or listed.
package struct FailureRow: Sendable, Hashable {
    package let container: Int
    package let scope: Database.Scope
    package let kind: String
    package let name: String
    package let code: String
    package let reason: String

    package init(
        container: Int, scope: Database.Scope, kind: String, name: String, code: String,
        reason: String
    ) {
        self.container = container
        self.scope = scope
        self.kind = kind
        self.name = name
        self.code = code
        self.reason = reason
    }
}
