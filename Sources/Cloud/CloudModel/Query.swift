/// A search for records of one type. Mirrors `CKQuery`.
package struct Query: Sendable, Hashable {
    package var recordType: String
    /// All must hold.
    package var filters: [Filter]
    /// Later entries break ties of earlier ones.
    package var sorts: [Sort]

    package init(recordType: String, filters: [Filter] = [], sorts: [Sort] = []) {
        self.recordType = recordType
        self.filters = filters
        self.sorts = sorts
    }

    /// The system fields that can be filtered and sorted by, spelled as on the wire.
    package enum SystemField: String, Sendable, CaseIterable {
        case recordName
        case share
        case parent
        case createdUserRecordName
        case createdTimestamp
        case modifiedTimestamp
        case modifiedUserRecordName

        /// The name that schemas, native frameworks and some clients use.
        package var storedName: String {
            switch self {
            case .recordName: "___recordID"
            case .share: "___share"
            case .parent: "___parent"
            case .createdUserRecordName: "___createdBy"
            case .createdTimestamp: "___createTime"
            case .modifiedTimestamp: "___modTime"
            case .modifiedUserRecordName: "___modifiedBy"
            }
        }

        /// The field of a stored name, also of `___recordId`, as one client spells it.
        package init?(storedName: String) {
            guard storedName.utf8.starts(with: "___".utf8) else { return nil }
            let name = storedName == "___recordId" ? "___recordID" : storedName
            guard let field = Self.allCases.first(where: { $0.storedName == name }) else {
                return nil
            }
            self = field
        }
    }

    /// What a filter or sort looks at.
    package enum Key: Sendable, Hashable {
        case field(String)
        case system(SystemField)
        /// Every searchable field; only for token search.
        case anyField
    }

    /// How a filter compares, spelled as on the wire.
    package enum Comparator: String, Sendable, CaseIterable {
        case equals = "EQUALS"
        case notEquals = "NOT_EQUALS"
        case lessThan = "LESS_THAN"
        case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
        case greaterThan = "GREATER_THAN"
        case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
        case near = "NEAR"
        case containsAllTokens = "CONTAINS_ALL_TOKENS"
        case containsAnyTokens = "CONTAINS_ANY_TOKENS"
        case `in` = "IN"
        case notIn = "NOT_IN"
        case beginsWith = "BEGINS_WITH"
        case notBeginsWith = "NOT_BEGINS_WITH"
        case listContains = "LIST_CONTAINS"
        case notListContains = "NOT_LIST_CONTAINS"
        case listContainsAll = "LIST_CONTAINS_ALL"
        case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
        case listContainsAny = "LIST_CONTAINS_ANY"
        case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
        case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
        case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
    }

    /// One condition.
    package struct Filter: Sendable, Hashable {
        package var comparator: Comparator
        package var key: Key
        package var value: FieldValue
        /// Whether the sender named the value's type: `IN` and `NOT_IN` ask for it.
        package var isTyped: Bool
        /// Metres; only with `near`.
        package var distance: Double?

        package init(
            _ comparator: Comparator, _ key: Key, _ value: FieldValue, isTyped: Bool = true,
            distance: Double? = nil
        ) {
            self.comparator = comparator
            self.key = key
            self.value = value
            self.isTyped = isTyped
            self.distance = distance
        }
    }

    /// One sort key.
    package struct Sort: Sendable, Hashable {
        package var key: Key
        package var ascending: Bool
        /// Sort by distance from here.
        package var relativeLocation: Location?

        package init(_ key: Key, ascending: Bool = true, relativeLocation: Location? = nil) {
            self.key = key
            self.ascending = ascending
            self.relativeLocation = relativeLocation
        }
    }
}
