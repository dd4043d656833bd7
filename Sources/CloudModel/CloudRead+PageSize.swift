extension CloudRead {
    /// Records or zones in a page when nothing is said; the service's own limit for records.
    package static let pageSizeStandard = 200

    /// How many records or zones a page may have at most; nil: nobody can say so in this request.
    package var pageSize: Int? {
        switch self {
        case .queryRecords(let request): request.limit ?? Self.pageSizeStandard
        case .zoneChanges(let zones):
            zones.map { $0.limit ?? Self.pageSizeStandard }.max()
        case .databaseChanges(_, let limit), .zoneListChanges(_, let limit):
            limit ?? Self.pageSizeStandard
        case .listZones, .lookUpZones, .lookUpRecords, .listSubscriptions, .lookUpSubscriptions,
            .currentUser, .caller:
            nil
        }
    }

    /// The same request for pages that are no larger than `most`. A page's cursor is good for any
    /// size, so a listing may change it on the way.
    package func limited(toPagesOf most: Int) -> CloudRead {
        guard let pageSize, pageSize > most else { return self }
        switch self {
        case .queryRecords(var request):
            request.limit = most
            return .queryRecords(request)
        case .zoneChanges(var zones):
            for index in zones.indices {
                zones[index].limit = min(zones[index].limit ?? most, most)
            }
            return .zoneChanges(zones)
        case .databaseChanges(let token, _): return .databaseChanges(token: token, limit: most)
        case .zoneListChanges(let token, _): return .zoneListChanges(token: token, limit: most)
        case .listZones, .lookUpZones, .lookUpRecords, .listSubscriptions, .lookUpSubscriptions,
            .currentUser, .caller:
            return self
        }
    }
}
