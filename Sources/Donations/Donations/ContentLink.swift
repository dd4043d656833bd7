package import CloudModel

/// The content in a cloud container that a donation is about, or a part of a container.
///
/// Set on a donation it names what the donation shows; in a selector it reaches everything
/// linked inside it: a container without a zone reaches all its zones.
public struct ContentLink: Sendable, Codable, Hashable {
    /// The container's identifier.
    public var container: String
    /// `private`, `shared` or `public`; nil: any.
    public var scope: String?
    /// The zone's name; nil: any zone.
    public var zone: String?
    /// Who owns the zone; nil: the user.
    public var zoneOwner: String?
    /// The record's name; nil: any record, and the zone itself.
    public var record: String?

    /// A container, or a part of one.
    public init(
        container: String, scope: String? = nil, zone: String? = nil, zoneOwner: String? = nil,
        record: String? = nil
    ) {
        self.container = container
        self.scope = scope
        self.zone = zone
        self.zoneOwner = zoneOwner
        self.record = record
    }

    /// A container, or a part of one.
    package init(
        _ container: Container.ID, _ scope: Database.Scope? = nil, zone: RecordZone.ID? = nil,
        record: String? = nil
    ) {
        self.init(
            container: container.rawValue, scope: scope?.rawValue, zone: zone?.zoneName,
            zoneOwner: zone?.ownerRecordName, record: record)
    }

    /// Whether `link` lies inside this part of a container. Compares byte by byte.
    package func contains(_ link: ContentLink) -> Bool {
        guard container.isSame(as: link.container) else { return false }
        if let scope, !scope.isSame(as: link.scope) { return false }
        guard let zone else { return true }
        guard zone.isSame(as: link.zone), (zoneOwner ?? "").isSame(as: link.zoneOwner ?? "") else {
            return false
        }
        return record.map { $0.isSame(as: link.record) } ?? true
    }
}
