import CloudModel
import CloudWire

/// Refuses queries the service would refuse, and gives untyped values the type of their field.
struct QueryChecker {
    let types: KnownTypes
    /// Whether what is asked by must be indexed.
    var needsIndexes = true

    /// The query with its fields' names and values as the store has them.
    func checked(_ query: Query) throws(CloudError) -> Query {
        var query = query
        guard query.filters.count <= WireLimits.filtersMax,
            query.sorts.count <= WireLimits.filtersMax
        else {
            throw CloudError(
                .badRequest, reason: "more than \(WireLimits.filtersMax) filters or sorts")
        }
        for index in query.filters.indices {
            query.filters[index].key = Self.canonical(query.filters[index].key)
            query.filters[index] = try checked(query.filters[index], query.recordType)
        }
        for index in query.sorts.indices {
            query.sorts[index].key = Self.canonical(query.sorts[index].key)
            try Self.checkName(query.sorts[index].key)
            try requireIndex(
                [.sortable], query.sorts[index].key, query.recordType, "sortable")
        }
        if query.filters.isEmpty, needsIndexes,
            !types.hasIndex([.queryable], field: "___recordID", type: query.recordType)
        {
            throw .noIndex("recordName", "queryable")
        }
        return query
    }

    private static func canonical(_ key: Query.Key) -> Query.Key {
        if case .field(let name) = key, let system = Query.SystemField(storedName: name) {
            return .system(system)
        }
        return key
    }

    /// Refuses names that no field can have: those that begin with `_` are the service's.
    private static func checkName(_ key: Query.Key) throws(CloudError) {
        guard case .field(let name) = key, name.utf8.first == 0x5F else { return }
        throw CloudError(
            .badRequest,
            reason: "'\(name.prefix(80))' is not a field: names with _ in front are the service's",
            rule: "system-field-names")
    }

    /// Whether a comparator is for members of a list.
    private static func looksIntoLists(_ comparator: Query.Comparator) -> Bool {
        switch comparator {
        case .listContains, .notListContains, .listContainsAll, .notListContainsAll,
            .listContainsAny, .notListContainsAny, .listMemberBeginsWith, .notListMemberBeginsWith:
            true
        default: false
        }
    }

    private func checked(
        _ filter: Query.Filter, _ type: String
    ) throws(CloudError) -> Query.Filter {
        var filter = filter
        try Self.checkName(filter.key)
        try checkShape(filter)
        try checkSize(filter)
        if case .field(let name) = filter.key, let known = types.field(name, of: type) {
            guard !known.isEncrypted else {
                throw CloudError(
                    .badRequest,
                    reason: "\(known.typeTag) cannot be used with \(filter.comparator.rawValue)")
            }
            guard known.isList || !Self.looksIntoLists(filter.comparator) else {
                throw CloudError(
                    .badRequest,
                    reason: "\(filter.comparator.rawValue) needs a list, and field '\(name)' is "
                        + "\(known.typeTag)", rule: "list-comparator")
            }
            filter.value = try converted(filter, known)
        }
        if case .system(let field) = filter.key { filter.value = try converted(filter, field) }
        try requireIndex(
            Self.indexes(for: filter.comparator), filter.key, type, "queryable")
        return filter
    }

    /// Refuses values that comparing with every record would take long.
    private func checkSize(_ filter: Query.Filter) throws(CloudError) {
        var textMax = WireLimits.filterTextMax
        switch filter.comparator {
        case .containsAllTokens, .containsAnyTokens: textMax = WireLimits.filterWordsMax
        default: break
        }
        var texts = 0
        switch filter.value {
        case .list(_, let elements):
            guard elements.count <= WireLimits.filterValuesMax else {
                throw CloudError(
                    .badRequest,
                    reason: "a filter has more than \(WireLimits.filterValuesMax) values")
            }
            for case .string(let text) in elements { texts += text.utf8.count }
        case .string(let text): texts = text.utf8.count
        default: break
        }
        guard texts <= textMax else {
            throw CloudError(
                .badRequest, reason: "a filter's text has more than \(textMax) bytes")
        }
    }

    /// Refuses values of a shape the comparator cannot use.
    private func checkShape(_ filter: Query.Filter) throws(CloudError) {
        let unexpected = CloudError(
            .badRequest, reason: "Unexpected input for \(filter.comparator.rawValue)")
        switch filter.comparator {
        case .in, .notIn:
            guard filter.value.isList, filter.isTyped else { throw unexpected }
        case .listContainsAll, .notListContainsAll, .listContainsAny, .notListContainsAny:
            guard filter.value.isList else { throw unexpected }
        case .near:
            guard case .location = filter.value, let distance = filter.distance, distance >= 0
            else { throw unexpected }
        case .containsAllTokens, .containsAnyTokens, .beginsWith, .notBeginsWith,
            .listMemberBeginsWith, .notListMemberBeginsWith:
            guard case .string = filter.value else { throw unexpected }
        case .equals, .notEquals: break
        case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .listContains,
            .notListContains:
            guard !filter.value.isList else { throw unexpected }
        }
        if filter.key == .anyField {
            let isSearch =
                filter.comparator == .containsAllTokens || filter.comparator == .containsAnyTokens
            guard isSearch else { throw unexpected }
        }
    }

    private func converted(
        _ filter: Query.Filter, _ known: KnownTypes.KnownField
    ) throws(CloudError) -> FieldValue {
        let value = filter.value
        // Prefixes and words are texts, whatever they are compared with.
        guard Self.comparesWholeValues(filter.comparator) else { return value }
        if value.kind == known.kind { return value }
        let wrong = CloudError(
            .badRequest, reason: "Invalid value, expected type \(known.kind.rawValue).")
        if case .list(_, let elements) = value {
            let made = elements.compactMap { Self.convert($0, to: known.kind, filter.isTyped) }
            guard made.count == elements.count else { throw wrong }
            return .list(known.kind, made)
        }
        guard let made = Self.convert(value, to: known.kind, filter.isTyped) else { throw wrong }
        return made
    }

    private static func convert(
        _ value: FieldValue, to kind: FieldValue.Kind, _ isTyped: Bool
    ) -> FieldValue? {
        switch (value, kind) {
        case (_, value.kind): value
        case (.int64, .double), (.double, .int64): value
        case (.string(let name), .reference): .reference(Record.Reference(name))
        default: isTyped ? nil : FieldChecker.convert(value, to: kind)
        }
    }

    private func converted(
        _ filter: Query.Filter, _ field: Query.SystemField
    ) throws(CloudError) -> FieldValue {
        guard Self.comparesWholeValues(filter.comparator) else { return filter.value }
        let kind: FieldValue.Kind
        switch field {
        case .createdTimestamp, .modifiedTimestamp: kind = .timestamp
        case .recordName, .share, .parent, .createdUserRecordName, .modifiedUserRecordName:
            kind = .reference
        }
        return try converted(
            filter, KnownTypes.KnownField(kind: kind, isList: false, isEncrypted: false))
    }

    private static func comparesWholeValues(_ comparator: Query.Comparator) -> Bool {
        switch comparator {
        case .near, .containsAllTokens, .containsAnyTokens, .beginsWith, .notBeginsWith,
            .listMemberBeginsWith, .notListMemberBeginsWith:
            false
        default: true
        }
    }

    // MARK: - Indexes

    private static func indexes(for comparator: Query.Comparator) -> Set<Schema.Index> {
        switch comparator {
        case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
            [.sortable, .queryable]
        case .beginsWith, .notBeginsWith, .listMemberBeginsWith, .notListMemberBeginsWith:
            [.sortable, .queryable]
        case .containsAllTokens, .containsAnyTokens: [.searchable]
        default: [.queryable]
        }
    }

    private func requireIndex(
        _ wanted: Set<Schema.Index>, _ key: Query.Key, _ type: String, _ word: String
    ) throws(CloudError) {
        guard needsIndexes else { return }
        switch key {
        case .anyField: return
        case .field(let name):
            // An encrypted field can have no index; sorting by one is accepted and does nothing.
            if types.field(name, of: type)?.isEncrypted == true { return }
            guard types.hasIndex(wanted, field: name, type: type) else {
                throw .noIndex(name, word)
            }
        // The schema language has no word for these two.
        case .system(.share), .system(.parent): return
        case .system(let field):
            guard types.hasIndex(wanted, field: field.storedName, type: type) else {
                throw .noIndex(field.rawValue, word)
            }
        }
    }
}

extension CloudError {
    fileprivate static func noIndex(_ field: String, _ word: String) -> CloudError {
        CloudError(.badRequest, reason: "Field '\(field)' is not marked \(word)")
    }
}
