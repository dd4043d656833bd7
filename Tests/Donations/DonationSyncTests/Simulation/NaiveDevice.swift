import Basics
import CloudModel
import DonationSync
import Donations

/// The naive way: upload what is here and not there, delete there what is missing here, take what
/// is there and not here. No deletion records, no contexts; a missing zone is created again.
final class NaiveDevice: SimDevice {
    private var here: [String: Donation] = [:]
    /// Names that are at the service, as far as it was told.
    private var there: Set<String> = []
    private var token: ChangeToken?
    private var backup: (here: [String: Donation], there: Set<String>, token: ChangeToken?)?
    private var serial = 0
    private let made: (Int) -> Donation

    init(index: Int, user: String, made: @escaping (Int) -> Donation) {
        self.made = made
        super.init(index: index, user: user, addresses: [SimWorld.private])
    }

    override func start(_ lane: Int, now: Timestamp, crash: SimCrash) throws -> SimLane {
        .asked(
            .read(.zoneChanges([ZoneChangesRequest(zoneID: SimWorld.zone.zoneID, token: token)])))
    }

    override func take(
        _ reply: Result<CloudReply, CloudError>, to command: CloudCommand, _ lane: Int,
        now: Timestamp, crash: SimCrash
    ) throws -> SimLane {
        guard crash != .beforeCommit else { return .rest }
        switch reply {
        case .failure: return .rest
        case .success(.zones):
            // The zone is new: everything that is here goes there.
            there = []
            return send()
        case .success(.zoneChanges(let items)):
            switch items.first {
            case .page(let page)?: return take(page)
            case .failure(_, let error)?:
                if error.code == .zoneNotFound {
                    token = nil
                    return .asked(.write(.modifyZones([.create(SimWorld.zone.zoneID)])))
                }
                token = nil
                return .rest
            case nil: return .rest
            }
        case .success(.records(let reply)):
            for item in reply.records {
                switch item {
                case .record(let record): there.insert(record.id.recordName)
                case .deleted(let name, _): there.remove(name)
                case .failure(let name, let error):
                    if error.code == .notFound { there.remove(name) }
                }
            }
            return .rest
        case .success: return .rest
        }
    }

    private func take(_ page: ZoneChangesPage) -> SimLane {
        for item in page.records {
            switch item {
            case .record(let record):
                guard case .string(let title)? = record.fields["title"]?.value,
                    let tag = Int(title.dropFirst())
                else { continue }
                here[record.id.recordName] = made(tag)
                there.insert(record.id.recordName)
            case .deleted(let name, _):
                here[name] = nil
                there.remove(name)
            case .failure: continue
            }
        }
        token = page.token
        if page.moreComing {
            return .asked(
                .read(
                    .zoneChanges([ZoneChangesRequest(zoneID: SimWorld.zone.zoneID, token: token)])))
        }
        return send()
    }

    private func send() -> SimLane {
        let new = here.keys.filter { !there.contains($0) }.sorted()
        let gone = there.filter { here[$0] == nil }.sorted()
        guard !new.isEmpty || !gone.isEmpty else { return .rest }
        let saves = new.map { name in
            RecordOperation(
                .forceUpdate, recordName: name, recordType: "Naive",
                fields: ["title": Field(.string(here[name]?.title ?? ""))])
        }
        let operations = Array((saves + gone.map { .forceDelete($0) }).prefix(200))
        return .asked(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: operations, zoneID: SimWorld.zone.zoneID, atomic: false))))
    }

    // MARK: The app

    override func donate(_ row: Donation, now: Timestamp) throws -> Bool {
        if let item = row.relatedIdentifier,
            !here.values.contains(where: { $0.kind == .searchableItem && $0.identifier == item })
        {
            return false
        }
        serial += 1
        let name =
            row.kind == .activity
            ? "d-\(index)-\(serial)-\(now.milliseconds)" : "d-\(row.kind)-\(row.identifier)"
        here[name] = row
        // It is to be sent, also when an older one of the name is there.
        there.remove(name)
        return true
    }

    override func erase(
        _ selector: DonationSelector, _ scope: DeletionScope, now: Timestamp
    ) throws {
        here = here.filter { PlainModel.match(selector, $0.value) != .yes }
    }

    override func expire(now: Timestamp) throws {
        here = here.filter { ($0.value.expiration?.milliseconds ?? .max) > now.milliseconds }
    }

    override func rows() throws -> [SimRow] {
        here.values.map { SimRow(kind: $0.kind, tag: Truth.tag(of: $0) ?? -1, isParked: false) }
    }

    override func donations() throws -> [Donation] { here.values.map { $0 } }

    override func backUp() { backup = (here, there, token) }

    override func rollBack() -> Bool {
        guard let backup else { return false }
        (here, there, token) = backup
        return true
    }
}
