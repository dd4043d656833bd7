import Basics
package import CloudModel
import OpenSSL

/// What becomes one file of records: a zone, or what a database holds that is reached by name.
package struct ExportPart: Sendable, Hashable {
    /// How it is read.
    package enum Kind: String, Sendable, CaseIterable {
        /// By the zone's change feed, which tells of what has changed since a token.
        case zone
        /// Record by record, by the names that a look has found.
        case records
        case subscriptions
        case userRecord = "user record"
    }

    package let container: Container.ID
    package let scope: Database.Scope
    package let kind: Kind
    /// Empty where there is none.
    package let zone: String
    /// Whose zone it is, in the shared database; empty elsewhere.
    package let owner: String

    package init(
        _ kind: Kind, in container: Container.ID, _ scope: Database.Scope, zone: String = "",
        owner: String = ""
    ) {
        self.kind = kind
        self.container = container
        self.scope = scope
        self.zone = zone
        self.owner = owner
    }

    /// Where it is written to, the same in every export of it. A zone's name may be any text, so it
    /// goes through a digest; lengths stand before the parts, so that no two parts share a file.
    var path: String {
        let parts = [container.rawValue, scope.rawValue, kind.rawValue, owner, zone]
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return "\(ExportPath.records)/\(Hexadecimal.encode(SHA256.hash(Array(text.utf8)))).jsonl"
    }
}
