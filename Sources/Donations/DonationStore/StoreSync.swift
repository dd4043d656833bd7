import Basics
import CloudModel
import DonationSync
import Donations
import SQLite

/// What a sync keeps, in the store's own file and in the store's own transactions.
///
/// Only made by ``DonationStore/sync(_:)`` and the deletions that travel, on the store's thread.
package struct StoreSync: SyncStorage {
    package typealias Failure = DonationError

    let core: StoreCore

    init(_ core: StoreCore) { self.core = core }

    /// How many rows the last statement changed.
    var changes: Int { core.connection.changes }
}

extension Value {
    /// A text, or NULL.
    static func text(orNull text: String?) -> Value { text.map { .text($0) } ?? .null }
    /// A number, or NULL.
    static func integer(orNull number: Int64?) -> Value { number.map { .integer($0) } ?? .null }
    /// 1 or 0.
    static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
}

extension Database.Address {
    /// The condition on the columns of an address.
    static let condition = "container = ? AND environment = ? AND scope = ?"

    var container1: Value { .text(container.rawValue) }
    var environment2: Value { .text(environment.rawValue) }
    var scope3: Value { .text(scope.rawValue) }
}

extension Statement {
    /// A column as a moment, or nil for NULL.
    func moment(at column: Int) -> Timestamp? {
        optionalInt64(at: column).map { Timestamp(milliseconds: $0) }
    }

    /// A column as a token, or nil for NULL.
    func token(at column: Int) -> ChangeToken? { optionalText(at: column).map { ChangeToken($0) } }
}
