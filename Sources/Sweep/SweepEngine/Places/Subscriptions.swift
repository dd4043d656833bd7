import CloudModel
import DeletionPlanning
import Journal

/// The person's subscriptions in one database. They tell of record types, too.
struct Subscriptions: Place {
    let kind = CoverageRow.Kind.subscriptions
    let scope: Database.Scope
    let items: Set<ItemKind> = [.subscription]
    /// Whoever asks is told of their own.
    let needsSignIn = true

    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        guard case .subscriptions(let items) = try await look.read(.listSubscriptions) else {
            throw .refused(.wrongReply(to: CloudRead.listSubscriptions))
        }
        var rows: [SeenRow] = []
        for item in items {
            switch item {
            case .subscription(let subscription):
                rows.append(
                    look.row(
                        .subscription, zone: subscription.zoneID?.zoneName ?? "",
                        type: subscription.query?.recordType ?? "",
                        name: subscription.subscriptionID))
            case .deleted:
                throw .refused(.wrongReply(to: CloudRead.listSubscriptions))
            case .failure(_, let error): throw .refused(error)
            }
        }
        try await look.note(rows)
        return .complete
    }

    func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String] {
        var there: [String] = []
        try await NameBatches.each(of: step.names) { (batch) async throws(SweepFailure) in
            let command = CloudRead.lookUpSubscriptions(batch)
            guard case .subscriptions(let items) = try await look.read(command),
                items.count == batch.count
            else { throw .refused(.wrongReply(to: command)) }
            for (name, item) in zip(batch, items) {
                switch item {
                case .subscription: there.append(name)
                case .deleted: throw .refused(.wrongReply(to: command))
                case .failure(_, let error) where error.code == .notFound: continue
                case .failure(_, let error): throw .refused(error)
                }
            }
        }
        return there
    }

    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        let write = CloudWrite.modifySubscriptions(names.map { .delete($0) })
        // A subscription has no owner to name in the request, and apps give it the same name for
        // everybody.
        guard case .subscriptions(let items) = try await channel.sendAfterAsking(write) else {
            throw .refused(.wrongReply(to: write))
        }
        var answers: [String: ItemAnswer] = [:]
        for item in items {
            switch item {
            case .deleted(let id): answers[id] = .deleted
            case .failure(let id, let error): answers[id] = .failure(error)
            case .subscription: continue
            }
        }
        return answers
    }
}
