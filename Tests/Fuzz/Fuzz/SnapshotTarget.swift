import Basics
import CloudModel
import InProcessMock
import MockStore

/// Changes of bytes in a snapshot file, four bytes each: a position of three bytes and what it is combined with. A file is
/// refused and changes nothing, or it means the same as before, and the service continues with it.
func fuzzSnapshot(_ input: [UInt8]) {
    var file = SnapshotClouds.file
    for change in stride(from: 0, to: input.count - 3, by: 4) {
        let place = input[change..<change + 3].reduce(0) { $0 << 8 | Int($1) }
        file.bytes[place % file.bytes.count] ^= input[change + 3]
    }
    guard let cloud = try? SnapshotClouds.make() else { preconditionFailure("no store") }
    do {
        try cloud.restore(file)
    } catch {
        let isUnchanged = (try? cloud.snapshotFile()) == SnapshotClouds.empty
        precondition(isUnchanged, "a refused file changed something")
        return
    }
    let data = try? cloud.snapshotFile().data()
    precondition(data == SnapshotClouds.data, "a damaged file was restored")
    SnapshotClouds.use(cloud)
}

private enum SnapshotClouds {
    static let container = Container.ID("iCloud.com.example.app")

    static func make() throws -> MockCloud {
        try MockCloud(
            clock: WallClock { Timestamp(milliseconds: 1_800_000_000_000) }, seed: 7,
            users: ["ann"])
    }

    /// Of a store as it is made.
    static let empty = try? make().snapshotFile()

    /// Of a store with some data.
    static let file: SnapshotBytes = {
        guard let cloud = try? make() else { preconditionFailure("no store") }
        use(cloud)
        guard let file = try? cloud.snapshotFile() else { preconditionFailure("not saved") }
        return file
    }()
    static let data = try? file.data()

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
        _ = try? cloud.snapshotFile()
    }
}
