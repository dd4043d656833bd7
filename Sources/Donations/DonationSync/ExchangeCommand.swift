package import CloudModel

/// A change of the donation zone: the only kind of write a sync can make.
///
/// No value of this type names another zone, and none deletes a zone, so that no deletion of a
/// donation can ever delete content.
package struct ExchangeCommand: Sendable, Hashable {
    private enum Change: Hashable {
        case createZone
        case modify([RecordOperation], atomic: Bool)
    }
    private let zone: DonationZone
    private let change: Change

    /// Creates the donation zone.
    package static func createZone(_ zone: DonationZone) -> ExchangeCommand {
        ExchangeCommand(zone: zone, change: .createZone)
    }

    /// Changes records of the donation zone; zones and parents that operations name are dropped.
    package static func modify(
        _ operations: [RecordOperation], atomic: Bool, in zone: DonationZone
    ) -> ExchangeCommand {
        let own = operations.map { operation in
            var operation = operation
            operation.zoneID = nil
            operation.parent = nil
            return operation
        }
        return ExchangeCommand(zone: zone, change: .modify(own, atomic: atomic))
    }

    /// The request.
    package var request: CloudWrite {
        switch change {
        case .createZone: .modifyZones([.create(zone.zoneID)])
        case .modify(let operations, let atomic):
            .modifyRecords(
                RecordModifyRequest(operations: operations, zoneID: zone.zoneID, atomic: atomic))
        }
    }
}
