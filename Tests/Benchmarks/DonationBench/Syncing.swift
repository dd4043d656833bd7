import AsyncOperations
import CloudModel
import CloudWire
import DonationStore
import DonationSync
import Donations
import Foundation
import JSON
import SyncEngine

/// Follows a database whose one zone has many records, read from the JSON of a service.
struct Syncing {
    let folder: String

    private static let container = Container.ID("iCloud.com.example.bench")!
    private static let pageRecords = 200

    /// Records a second of a first scan, over those that the JSON decoder alone makes of the pages,
    /// and over those that the parser under it takes in.
    func changes(rows: Int) async throws {
        let pages = Pages(records: rows, keeps: true)
        let start = Bench.processorSeconds()
        var records = 0
        for number in 0..<pages.count {
            records += try JSONDocument.parse(pages.body(number)).root["zones"]?.count ?? 0
        }
        let parsing = Bench.processorSeconds() - start
        guard records == pages.count else { throw Problem("the pages are not what they should be") }
        let decodingStart = Bench.processorSeconds()
        for number in 0..<pages.count { _ = try pages.reply(number) }
        let decoding = Bench.processorSeconds() - decodingStart
        let clock = ContinuousClock()
        let processor = Bench.processorSeconds()
        let began = clock.now
        let outcome = try await sync(pages)
        let took = began.duration(to: clock.now)
        let syncing = Bench.processorSeconds() - processor
        guard outcome.report.recordsSeen == Int64(rows) else { throw Problem("not all was seen") }
        let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
        Bench.tell("records_per_s", Double(rows) / seconds)
        Bench.tell("parse_s", parsing)
        Bench.tell("decode_s", decoding)
        Bench.tell("sync_processor_s", syncing)
        Bench.tell("sync_s", seconds)
        Bench.tell("ratio_parse", parsing / syncing)
        Bench.tell("ratio_decode", decoding / syncing)
    }

    /// The most memory while a zone of many records is scanned, and then scanned again.
    func memory(rows: Int) async throws {
        let pages = Pages(records: rows)
        let first = try await sync(pages)
        guard first.report.recordsSeen == Int64(rows) else { throw Problem("not all was seen") }
        pages.expire()
        let second = try await sync(pages)
        guard second.report.recordsSeen == Int64(rows), second.report.rescans == 1 else {
            throw Problem("the second scan did not happen")
        }
        Bench.tell("rss_mib", try Bench.memoryMax())
    }

    /// Requests of a round in which nothing changed.
    func steady() async throws {
        let pages = Pages(records: 1000)
        _ = try await sync(pages)
        let before = pages.requests
        _ = try await sync(pages)
        Bench.tell("requests", Double(pages.requests - before))
    }

    private func sync(_ pages: Pages) async throws -> SyncOutcome {
        let store = try Bench.store(folder, isDurable: true)
        let request = SyncRequest(
            application: "com.example.bench", environment: .development,
            containers: [Self.container], defaultContainer: nil, scopes: [.private])
        let world = SyncWorld(
            donations: store, stateFolder: folder + "-state", clock: ContinuousClock(),
            wallClock: .fixed(Bench.now))
        let outcome = await DonationSyncer(request, in: world).run(
            content: { _ in pages }, exchange: { _ in preconditionFailure("no exchange was asked") }
        )
        guard outcome.status == .done else { throw Problem(outcome.explanation) }
        await store.flushAndClose()
        return outcome
    }

    /// A database with one zone, whose pages are JSON until somebody asks for them.
    private final class Pages: CloudDatabaseReading {
        private struct State {
            var requests = 0
            var epoch = 1
        }
        let address = Database.Address(
            container: Syncing.container, environment: .development, scope: .private)
        let count: Int
        private let records: Int
        private let state = Locked(State())
        private let kept = Locked([[UInt8]]())
        private let zone = RecordZone.ID("Notes")

        /// - Parameter keeps: Whether the pages are made now, so that making them takes no time later.
        init(records: Int, keeps: Bool = false) {
            self.records = records
            count = (records + Syncing.pageRecords - 1) / Syncing.pageRecords
            guard keeps else { return }
            let pages = (0..<count).map { make($0) }
            kept.withLock { $0 = pages }
        }

        var requests: Int { state.withLock { $0.requests } }
        /// Every token given so far is refused from now on.
        func expire() { state.withLock { $0.epoch += 1 } }

        /// The answer to `changes/zone`, as the service writes it.
        func body(_ number: Int) -> [UInt8] {
            let pages = kept.withLock { $0 }
            return pages.isEmpty ? make(number) : pages[number]
        }

        private func make(_ number: Int) -> [UInt8] {
            var text = #"{"zones":[{"records":["#
            for index in number
                * Syncing.pageRecords..<min(records, (number + 1) * Syncing.pageRecords)
            {
                if index > number * Syncing.pageRecords { text += "," }
                let stamp =
                    #"{"timestamp":\#(1_700_000_000_000 + index),"userRecordName":"_0123456789abcdef0123456789abcdef","deviceID":"2"}"#
                let name = UInt64(index) &* 0x9E37_79B9_7F4A_7C15
                text +=
                    #"{"recordName":"8D1E6F2A-\#(name)","recordType":"Note","fields":{},"#
                    + #""pluginFields":{},"recordChangeTag":"\#(String(index, radix: 36))","#
                    + #""created":\#(stamp),"modified":\#(stamp),"deleted":false,"#
                    + #""zoneID":{"zoneName":"Notes","ownerRecordName":"_0123456789abcdef0123456789abcdef","zoneType":"REGULAR_CUSTOM_ZONE"}}"#
            }
            let more = number + 1 < count
            let epoch = state.withLock { $0.epoch }
            text +=
                #"],"moreComing":\#(more),"syncToken":"\#(token(epoch, number + 1).rawValue)","#
                + #""zoneID":{"zoneName":"Notes","zoneType":"REGULAR_CUSTOM_ZONE"}}]}"#
            return Array(text.utf8)
        }

        func reply(_ number: Int) throws -> CloudReply {
            let command = CloudRead.zoneChanges([ZoneChangesRequest(zoneID: zone)])
            return try ReplyReader.read(body(number), status: 200, to: .read(command))
        }

        private func token(_ epoch: Int, _ page: Int) -> ChangeToken {
            ChangeToken("zone/\(epoch)/\(page)")
        }

        func read(_ command: CloudRead) async throws(CloudError) -> CloudReply {
            let epoch = state.withLock { state in
                state.requests += 1
                return state.epoch
            }
            switch command {
            case .caller:
                return .user(
                    UserIdentity(userRecordName: "_bench", givenName: nil, familyName: nil))
            case .databaseChanges(let token, _):
                let current = ChangeToken("database/\(epoch)")
                let isNew = token != current
                return .zonePage(
                    ZonePage(
                        zones: isNew ? [.zone(RecordZone(id: zone, isAtomic: true))] : [],
                        token: current, moreComing: false))
            case .zoneChanges(let requests):
                let parts = requests.first?.token?.rawValue.split(separator: "/") ?? ["", "", "0"]
                guard let page = Int(parts[2]), parts[1].isEmpty || parts[1] == "\(epoch)" else {
                    return .zoneChanges([
                        .failure(zone, CloudError(.badRequest, reason: "expired"))
                    ])
                }
                guard page < count else { return .zoneChanges([.page(empty(epoch))]) }
                do {
                    return try reply(page)
                } catch {
                    throw CloudError(.unexpectedResponse)
                }
            default: throw CloudError(.badRequest)
            }
        }

        private func empty(_ epoch: Int) -> ZoneChangesPage {
            ZoneChangesPage(
                zoneID: zone, records: [], token: token(epoch, count), moreComing: false)
        }
    }
}
