/// A zone of a database. Mirrors `CKRecordZone`.
package struct RecordZone: Sendable, Hashable {
    /// A zone's name and owner. Mirrors `CKRecordZone.ID`.
    package struct ID: Sendable, Hashable, CustomStringConvertible {
        /// At most 255 ASCII characters; custom zones do not begin with `_`.
        package let zoneName: String
        /// The owner's user record name; nil means the caller.
        package let ownerRecordName: String?

        package init(_ zoneName: String, ownerRecordName: String? = nil) {
            self.zoneName = zoneName
            self.ownerRecordName = ownerRecordName
        }

        /// The zone that every private and public database has.
        package static let `default` = ID("_defaultZone")

        /// Whether this names the default zone, whoever owns it.
        @inlinable package var isDefault: Bool { zoneName == "_defaultZone" }

        /// Owner names that mean "the caller": the native one, OpenCloudKit's, and none.
        package static let callerPlaceholders = ["__defaultOwner__", "_defaultOwner", ""]

        /// Whether the owner is left out, or spelled as one of the placeholders for the caller.
        package var namesCaller: Bool {
            ownerRecordName.map(Self.callerPlaceholders.contains) ?? true
        }

        package var description: String { zoneName }

        /// The zone as one text: another person's zone has its owner after a line break, which no
        /// zone's name holds.
        package var qualifiedName: String {
            ownerRecordName.map { "\(zoneName)\n\($0)" } ?? zoneName
        }

        /// The zone that ``qualifiedName`` says.
        package init(qualifiedName: String) {
            let parts = qualifiedName.split(
                separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            self.init(
                String(parts[0]), ownerRecordName: parts.count > 1 ? String(parts[1]) : nil)
        }

        /// For people: `Trips of _5e1f`, or the name alone where the zone is the person's own.
        package var words: String { ownerRecordName.map { "\(zoneName) of \($0)" } ?? zoneName }
    }

    package let id: ID
    /// Whether record batches in this zone can be atomic: false for the default zone.
    package let isAtomic: Bool
    /// The zone's change token, where the service sends one.
    package let syncToken: ChangeToken?

    package init(id: ID, isAtomic: Bool, syncToken: ChangeToken? = nil) {
        self.id = id
        self.isAtomic = isAtomic
        self.syncToken = syncToken
    }

    /// One item of a `zones/modify` request.
    package enum Operation: Sendable, Hashable {
        case create(ID)
        case delete(ID)

        @inlinable package var id: ID {
            switch self {
            case .create(let id), .delete(let id): id
            }
        }
    }

    /// One item of an answer about zones.
    package enum Item: Sendable, Hashable {
        case zone(RecordZone)
        /// A deletion. Why is known in a database's change feed only.
        case deleted(ID, reason: DeletionReason = .deleted)
        case failure(ID, CloudError)

        package var id: ID {
            switch self {
            case .zone(let zone): zone.id
            case .deleted(let id, _), .failure(let id, _): id
            }
        }
    }
}
