import Basics
import CloudModel
import Foundation
import InProcessMock
import MockStore
import RandomSeeds
import Testing

/// What the store does for itself between requests changes no answer: two services that are asked the
/// same answer the same, where one never finds time for its chores and the other always does.
@Suite(.timeLimit(.minutes(30))) struct ChoreTests {
    private static let seeds = Seeds.range("chores", 20, long: 1_000)

    @Test func `no answer tells whether what was deleted has been cleared away yet`() throws {
        var (uploads, taken) = (0, 0)
        for seed in Self.seeds {
            var run = try Run(seed: seed)
            for step in 0..<150 {
                guard let difference = try run.step() else { continue }
                Issue.record("CKSWEEP_SEED=\(seed), step \(step): \(difference)")
                return
            }
            (uploads, taken) = (uploads + run.uploads, taken + run.taken)
        }
        #expect(uploads >= Self.seeds.count && taken >= Self.seeds.count)
    }

    /// One history, lived twice.
    private struct Run {
        let busy: World
        let diligent: World
        var generator: SeededGenerator
        var tags: [String: String] = [:]
        var feeds: [String: ChangeToken] = [:]
        var addresses: [(url: String, zone: RecordZone.ID, record: String)] = []
        var receipts: [(asset: Asset, zone: RecordZone.ID, record: String)] = []
        var downloads: [String] = []
        /// Files that were sent, and those that a record took.
        var (uploads, taken) = (0, 0)

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            (busy, diligent) = (try World(seed: seed), try World(seed: seed))
        }

        private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
        private mutating func zone() -> RecordZone.ID {
            RecordZone.ID(["Notes", "Other", "_defaultZone"][below(3)])
        }

        /// What the two services say differently, if anything.
        mutating func step() throws -> String? {
            let long = [1_000, 600_000, 7_200_000, 90_000_000]
            let pause = below(8) == 0 ? long[below(4)] : below(2)
            for world in [busy, diligent] { world.advance(Int64(pause)) }
            while try diligent.cloud.withStore({ try $0.purgeSome() }) {}
            switch below(12) {
            case 0: return try modifyZone()
            case 1...4: return try modifyRecord()
            case 5...6: return try reserve()
            case 7...8: return try send()
            case 9: return try fetch()
            case 10: return try readFeed()
            default:
                let query = Query(recordType: "Note")
                return try ask(
                    .read(.queryRecords(RecordQueryRequest(query: query, zoneID: zone())))
                ).difference
            }
        }

        /// What both answer, or else what they say differently.
        private func both<Value: Hashable>(
            _ body: (World) throws -> Value
        ) throws -> (value: Value?, difference: String?) {
            let results = try [busy, diligent].map { world -> Result<Value, CloudError> in
                do {
                    return .success(try body(world))
                } catch let error as CloudError {
                    return .failure(error)
                }
            }
            guard results[0] == results[1] else {
                return (nil, "\(results[0])\nand, with its chores done,\n\(results[1])")
            }
            return (try? results[0].get(), nil)
        }

        private func ask(_ command: CloudCommand) throws -> (
            value: CloudReply?, difference: String?
        ) {
            try both { try $0.ada.ask(command) }
        }

        private mutating func modifyZone() throws -> String? {
            let zone = RecordZone.ID(["Notes", "Other"][below(2)])
            let operation: RecordZone.Operation = below(3) > 0 ? .create(zone) : .delete(zone)
            return try ask(.write(.modifyZones([operation]))).difference
        }

        private mutating func modifyRecord() throws -> String? {
            var (zone, name) = (zone(), "r\(below(6))")
            var operation = RecordOperation.forceDelete(name)
            if below(4) > 0 {
                var fields = ["n": Field(.int64(Int64(below(9))))]
                if !receipts.isEmpty, below(3) > 0 {
                    let receipt = receipts[below(receipts.count)]
                    fields["photo"] = Field(.asset(receipt.asset))
                    if below(4) > 0 { (zone, name) = (receipt.zone, receipt.record) }
                }
                if below(3) == 0 {
                    fields["to"] = Field(.link("r\(below(6))", .deleteSelf))
                }
                operation = RecordOperation(
                    .forceUpdate, recordName: name, recordType: "Note", fields: fields)
            }
            let request = RecordModifyRequest(
                operations: [operation], zoneID: zone, atomic: false)
            let (reply, difference) = try ask(.write(.modifyRecords(request)))
            if case .records(let reply) = reply,
                case .asset(let asset)? = reply.records.first?.record?.fields["photo"]?.value,
                let url = asset.downloadURL
            {
                taken += 1
                downloads = (downloads + [url]).suffix(8)
            }
            return difference
        }

        private mutating func reserve() throws -> String? {
            let (zone, record) = (zone(), "r\(below(6))")
            let token = AssetUploadRequest.Token(
                recordType: "Note", fieldName: "photo", recordName: record)
            let request = AssetUploadRequest([token], zoneID: zone)
            let (reply, difference) = try ask(.write(.uploadAssets(request)))
            if case .assetUploads(let items) = reply, case .address(_, let url)? = items.first {
                addresses = (addresses + [(url, zone, record)]).suffix(8)
            }
            return difference
        }

        private mutating func send() throws -> String? {
            guard !addresses.isEmpty else { return nil }
            let (url, zone, record) = addresses[below(addresses.count)]
            let bytes = [UInt8](repeating: UInt8(below(3)), count: 10)
            let (asset, difference) = try both { world in
                try world.cloud.withStore { try $0.receiveAsset(bytes, at: url) }
            }
            if let asset {
                uploads += 1
                receipts = (receipts + [(asset, zone, record)]).suffix(6)
            }
            return difference
        }

        private mutating func fetch() throws -> String? {
            guard !downloads.isEmpty else { return nil }
            let url = downloads[below(downloads.count)]
            return try both { world in
                try world.cloud.withStore { try $0.assetBytes(at: url) }
            }.difference
        }

        private mutating func readFeed() throws -> String? {
            let zone = zone()
            let request = ZoneChangesRequest(
                zoneID: zone, token: below(4) > 0 ? feeds[zone.zoneName] : nil, limit: 3)
            let (reply, difference) = try ask(.read(.zoneChanges([request])))
            if case .zoneChanges(let items) = reply, case .page(let page)? = items.first {
                feeds[zone.zoneName] = page.token
            }
            return difference
        }
    }
}
