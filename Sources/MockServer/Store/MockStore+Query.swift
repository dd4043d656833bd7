import CloudModel

extension MockStore {
    /// Records looked at for one page; a page that found little by then says there is more.
    private static let scannedMax = 20_000
    private static let chunk = 500

    /// One page of a query.
    func query(
        _ request: RecordQueryRequest, _ session: Session
    ) throws(CloudError) -> RecordPage {
        let types = try types(session)
        let query = request.query
        let zones = try zones(request, session)
        guard types.knows(type: query.recordType) else {
            if options.unknownTypeIsEmpty { return RecordPage(records: []) }
            throw CloudError(.notFound, reason: "Did not find record type")
        }
        guard mayUse(.read, nil, type: query.recordType, types, session) else {
            throw .notPermitted(.read)
        }
        let checked = try QueryChecker(types: types).checked(query)
        let declared = types.schema?.recordType(query.recordType)
        let searchable = declared.map { declared in
            Set(declared.fields.filter { $0.indexes.contains(.searchable) }.map(\.name))
        }
        let search = QuerySearch(
            evaluator: QueryEvaluator(
                query: checked, zoneID: .default, searchableFields: searchable),
            zones: zones, types: types, session: session,
            newest: options.indexLag == .zero
                ? nil : session.now.advanced(by: .zero - options.indexLag))
        let digest = QueryMarker.digest(
            checked, request.zoneID?.zoneName ?? (request.zoneWide ? "*" : ""),
            session.database.digest)
        var start = QueryMarker(digest: digest)
        if let text = request.continuationMarker, !text.isEmpty {
            guard let read = QueryMarker(text, digest: digest),
                read.sortKey.isEmpty || read.sortKey.count == checked.sorts.count
            else { throw CloudError(.badRequest, reason: "Invalid continuation marker") }
            start = read
        }
        let limit = max(1, min(request.limit ?? .max, options.recordsPageMax))
        var (found, next) =
            checked.sorts.isEmpty
            ? try scan(search, from: start, limit: limit)
            : try sorted(search, from: start, limit: limit)
        if !found.isEmpty, start.emptyPagesGiven < options.emptyPages {
            start.emptyPagesGiven += 1
            next = start
            found = []
        }
        let keys = request.desiredKeys.map { Set($0) }
        return RecordPage(
            records: found.map { hit in
                .record(
                    hit.record.record(in: session.zoneID(zones[hit.zone].name), keys: keys))
            }, continuationMarker: next?.text)
    }

    /// The zones a query searches, oldest first.
    private func zones(
        _ request: RecordQueryRequest, _ session: Session
    ) throws(CloudError) -> [ZoneRow] {
        guard request.zoneID == nil, request.zoneWide else {
            return [try zone(request.zoneID ?? .default, session)]
        }
        return try tables.everyZone(in: session.database.id).sorted {
            $0.incarnation < $1.incarnation
        }
    }

    /// A page of a query without sorts: in the order of the last change, zone by zone.
    private func scan(
        _ search: QuerySearch, from start: QueryMarker, limit: Int
    ) throws(CloudError) -> ([QuerySearch.Hit], QueryMarker?) {
        var hits: [QuerySearch.Hit] = []
        var scanned = 0
        for (index, zone) in search.zones.enumerated() where zone.incarnation >= start.zone {
            var seq = zone.incarnation == start.zone ? start.seq : 0
            while true {
                let page = try tables.records(
                    of: search.evaluator.query.recordType, in: zone.incarnation, after: seq,
                    limit: Self.chunk)
                for row in page.rows {
                    if search.finds(row, self) {
                        // One more than asked for shows that there is more.
                        if hits.count == limit {
                            let marker = QueryMarker(
                                digest: start.digest, zone: zone.incarnation, seq: seq)
                            return (hits, marker)
                        }
                        hits.append(QuerySearch.Hit(record: row, zone: index))
                    }
                    seq = row.seq
                }
                scanned += page.rows.count
                guard page.hasMore else { break }
                // Enough for one answer: a page that found little still says where to go on.
                if scanned >= Self.scannedMax || page.rows.count < Self.chunk {
                    let marker = QueryMarker(
                        digest: start.digest, zone: zone.incarnation, seq: seq)
                    return (hits, marker)
                }
            }
        }
        return (hits, nil)
    }

    /// A page of a query with sorts: everything that matches is looked at.
    private func sorted(
        _ search: QuerySearch, from start: QueryMarker, limit: Int
    ) throws(CloudError) -> ([QuerySearch.Hit], QueryMarker?) {
        var places: [QuerySearch.Place] = []
        for (index, zone) in search.zones.enumerated() {
            var seq: Int64 = 0
            while true {
                let page = try tables.records(
                    of: search.evaluator.query.recordType, in: zone.incarnation, after: seq,
                    limit: Self.chunk)
                for row in page.rows where search.finds(row, self) {
                    let place = QuerySearch.Place(
                        key: search.evaluator.sortKey(of: row), zone: index,
                        incarnation: zone.incarnation, seq: row.seq)
                    if start.sortKey.isEmpty || search.isAfter(place, start) {
                        places.append(place)
                    }
                }
                guard page.hasMore, let end = page.rows.last else { break }
                seq = end.seq
            }
        }
        places.sort { search.precedes($0, $1) }
        var hits: [QuerySearch.Hit] = []
        for place in places.prefix(limit) {
            if let record = try tables.entry(at: place.seq, in: place.incarnation)?.record {
                hits.append(QuerySearch.Hit(record: record, zone: place.zone))
            }
        }
        guard places.count > limit else { return (hits, nil) }
        let last = places[limit - 1]
        return (
            hits,
            QueryMarker(
                digest: start.digest, zone: last.incarnation, seq: last.seq, sortKey: last.key)
        )
    }
}

/// A query under way.
struct QuerySearch {
    struct Hit {
        let record: StoredRecord
        /// Index into the zones searched.
        let zone: Int
    }
    /// A matching record by its place in the result.
    struct Place {
        let key: [FieldValue?]
        let zone: Int
        let incarnation: Int64
        let seq: Int64
    }

    let evaluator: QueryEvaluator
    let zones: [ZoneRow]
    let types: KnownTypes
    let session: Session
    /// Records changed after this are not in the index yet; nil: all are.
    let newest: Timestamp?

    func finds(_ record: StoredRecord, _ store: MockStore) -> Bool {
        if let newest, record.modified.timestamp > newest { return false }
        return evaluator.matches(record)
            && store.mayUse(.read, record, types, session)
    }

    func precedes(_ left: Place, _ right: Place) -> Bool {
        evaluator.precedes(left.key, right.key)
            ?? ((left.incarnation, left.seq) < (right.incarnation, right.seq))
    }

    func isAfter(_ place: Place, _ marker: QueryMarker) -> Bool {
        let reached = Place(
            key: marker.sortKey, zone: 0, incarnation: marker.zone, seq: marker.seq)
        return precedes(reached, place)
    }
}
