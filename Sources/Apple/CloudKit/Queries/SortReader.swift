import CloudModel
public import Foundation

extension NSSortDescriptor {
    /// Sorts by a field; Foundation on Linux has no such initialiser of its own.
    ///
    /// For queries only: comparing with it finds everything equal.
    public convenience init(key: String?, ascending: Bool) {
        self.init(keyPath: \SortProbe.key, ascending: ascending) { left, _ in
            (left as? SortProbe)?.key = key
            return .orderedSame
        }
    }
}

/// Sorts by the distance from a place.
public final class CKLocationSortDescriptor: NSSortDescriptor {
    /// The place.
    public let relativeLocation: CLLocation

    /// Sorts by the distance of a field's places from `relativeLocation`, the nearest first.
    public init(key: String, relativeLocation: CLLocation) {
        self.relativeLocation = relativeLocation
        super.init(keyPath: \SortProbe.key, ascending: true) { left, _ in
            (left as? SortProbe)?.key = key
            return .orderedSame
        }
    }

    /// Not available: reads nothing.
    public required init?(coder: NSCoder) { nil }
}

/// Asks a sort descriptor for its field.
final class SortProbe {
    var key: String?
}

/// Reads sort descriptors.
enum SortReader {
    /// A descriptor that sorts so.
    static func descriptor(of sort: Query.Sort) -> NSSortDescriptor {
        let key = FieldName.name(sort.key)
        guard let place = sort.relativeLocation else {
            return NSSortDescriptor(key: key, ascending: sort.ascending)
        }
        return CKLocationSortDescriptor(key: key, relativeLocation: CLLocation(place))
    }

    /// What a descriptor sorts by.
    ///
    /// - Throws: `invalidArguments` for one made from another type's key path.
    static func sort(of descriptor: NSSortDescriptor) throws(CKError) -> Query.Sort {
        // Another descriptor's comparator may take nothing but values of its own type.
        let probe = SortProbe()
        if descriptor.keyPath == \SortProbe.key { _ = descriptor.comparator(probe, probe) }
        if let key = probe.key {
            let location = (descriptor as? CKLocationSortDescriptor)?.relativeLocation
            guard location?.isStorable != false else {
                throw CKError(
                    .invalidArguments,
                    "the sort by \"\(key)\" starts from a location with NaN, an infinite number "
                        + "or a date out of range")
            }
            let place = location?.model
            return Query.Sort(
                FieldName.key(key), ascending: descriptor.ascending, relativeLocation: place)
        }
        switch descriptor.keyPath {
        case \CKRecord.creationDate:
            return Query.Sort(.system(.createdTimestamp), ascending: descriptor.ascending)
        case \CKRecord.modificationDate:
            return Query.Sort(.system(.modifiedTimestamp), ascending: descriptor.ascending)
        default:
            throw CKError(
                .invalidArguments,
                "a sort descriptor needs the name of a field: "
                    + "NSSortDescriptor(key:ascending:)")
        }
    }
}

/// The names that predicates and sort descriptors have for what the service filters and sorts by.
enum FieldName {
    private static let system: [String: Query.SystemField] = [
        "recordID": .recordName, "creationDate": .createdTimestamp,
        "modificationDate": .modifiedTimestamp, "creatorUserRecordID": .createdUserRecordName,
        "lastModifiedUserRecordID": .modifiedUserRecordName, "parent": .parent, "share": .share,
    ]

    /// The name of a key; Apple's, where there are several.
    static func name(_ key: Query.Key) -> String {
        switch key {
        case .field(let name): name
        case .system(let field):
            system.first { $0.value == field }?.key ?? field.rawValue
        case .anyField: "self"
        }
    }

    static func key(_ name: String) -> Query.Key {
        (system[name] ?? Query.SystemField(storedName: name)).map { .system($0) } ?? .field(name)
    }
}
