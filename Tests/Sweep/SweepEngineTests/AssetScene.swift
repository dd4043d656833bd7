import AsyncOperations
import CloudModel
import InProcessMock
import MockStore
import SweepEngine

/// Two zones with a record in each that holds a file.
struct AssetScene {
    /// Asks the mock's store, and remembers what it was asked.
    final class StoreProbe: AssetProbe {
        let cloud: MockCloud
        let asked = Locked<[String]>([])
        init(_ cloud: MockCloud) { self.cloud = cloud }

        func presence(at address: String) throws(CloudError) -> AssetPresence {
            asked.withLock { $0.append(address) }
            do {
                _ = try cloud.withStore { try $0.assetBytes(at: address) }
                return .there(until: nil)
            } catch let error as CloudError where error.httpStatus == 404 {
                return .gone
            } catch {
                throw CloudError(.internalError, reason: "\(error)")
            }
        }
    }

    let id: Container.ID
    let bench: Bench
    let probe: StoreProbe
    let addresses: [String]

    init() throws {
        id = try container("one")
        bench = try Bench()
        probe = StoreProbe(bench.cloud)
        var addresses: [String] = []
        for name in ["Album", "Trips"] {
            try bench.seed(id, [name], records: 0)
            addresses.append(try Self.save("photo", in: name, bench, id))
        }
        self.addresses = addresses
    }

    static func save(
        _ name: String, in zone: String, _ bench: Bench, _ id: Container.ID
    ) throws -> String {
        func perform(_ write: CloudWrite) throws -> CloudReply {
            try bench.cloud.perform(.write(write), at: address(id), by: .user("ada"))
        }
        let token = AssetUploadRequest.Token(
            recordType: "Note", fieldName: "photo", recordName: name)
        let zoneID = RecordZone.ID(zone)
        guard
            case .assetUploads(let items) = try perform(
                .uploadAssets(AssetUploadRequest([token], zoneID: zoneID))),
            case .address(_, let url)? = items.first
        else { throw BadIdentifier() }
        let asset = try bench.cloud.withStore { try $0.receiveAsset([1, 2, 3], at: url) }
        let operation = RecordOperation(
            .create, recordName: name, recordType: "Note",
            fields: ["photo": Field(.asset(asset))])
        guard
            case .records(let reply) = try perform(
                .modifyRecords(RecordModifyRequest(operations: [operation], zoneID: zoneID))),
            case .record(let record)? = reply.records.first,
            case .asset(let saved)? = record.fields["photo"]?.value, let address = saved.downloadURL
        else { throw BadIdentifier() }
        return address
    }

    /// A sweep of both, with the field that holds files.
    var wanted: SweepRequest {
        var wanted = request([id])
        wanted.targets[0].assetFields = AssetFields(["Note": ["photo"]])
        return wanted
    }
}
