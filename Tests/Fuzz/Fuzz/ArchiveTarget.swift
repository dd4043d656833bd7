import Basics
import CloudModel
import InProcessMock
import MockStore

/// The lines of an archive, without the last. What is refused changes nothing; what is taken is exported again
/// with the same bytes, and the service goes on with it.
func fuzzArchive(_ input: [UInt8]) {
    guard let cloud = try? ArchiveClouds.make() else { preconditionFailure("no store") }
    let lines = input.last == 0x0A ? input : input + [0x0A]
    let archive = ArchiveSeal.sealed(lines)
    do {
        try cloud.replace(with: archive)
    } catch {
        precondition((try? cloud.archive()) == ArchiveClouds.empty, "a refused archive was put in")
        return
    }
    guard let again = try? cloud.archive() else { preconditionFailure("it cannot be exported") }
    precondition(
        ArchiveClouds.withoutWorld(again) == ArchiveClouds.withoutWorld(archive),
        "it is exported with other bytes")
    ArchiveClouds.use(cloud)
}

private enum ArchiveClouds {
    static let container = Container.ID("iCloud.com.example.app")

    static func make() throws -> MockCloud {
        try MockCloud(
            clock: WallClock { Timestamp(milliseconds: 1_800_000_000_000) }, seed: 7,
            users: ["ann"])
    }

    /// Of a store as it is made.
    static let empty = (try? make().archive()) ?? []

    /// The lines but the second and the last: switches and clock are the server's.
    static func withoutWorld(_ archive: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines = archive.split(separator: 0x0A)
        if lines.count > 2 { lines.remove(at: 1) }
        return lines.dropLast()
    }

    /// Asks for much of what there may be, and changes some of it.
    static func use(_ cloud: MockCloud) {
        guard let container else { return }
        for scope in Database.Scope.allCases {
            let address = Database.Address(
                container: container, environment: .development, scope: scope)
            let zone = RecordZone.ID("Notes")
            let commands: [CloudCommand] = [
                .read(.listZones(token: nil)), .read(.databaseChanges(token: nil, limit: nil)),
                .read(.zoneChanges([ZoneChangesRequest(zoneID: zone)])),
                .read(.listSubscriptions), .read(.currentUser),
                .read(
                    .queryRecords(
                        RecordQueryRequest(query: Query(recordType: "Note"), zoneID: zone))),
                .write(.modifyZones([.create(zone)])),
                .write(
                    .modifyRecords(
                        RecordModifyRequest(
                            operations: [
                                RecordOperation(
                                    .forceUpdate, recordName: "a", recordType: "Note"),
                                .forceDelete("b"),
                            ], zoneID: zone, atomic: false))),
                .write(.modifyZones([.delete(zone)])),
            ]
            for command in commands {
                _ = try? cloud.perform(command, at: address, by: .user("ann"))
            }
        }
        _ = try? cloud.archive()
    }
}
