import CloudModel
import CloudWire
package import MockFaults
package import MockStore

/// Executes commands with the faults that are set: it decides which fire, and executes the command as they say.
package final class FaultEngine {
    package var plan: FaultPlan { didSet { keepHistory() } }
    /// The form in which pages go out.
    package var pages = PageDelivery()
    private let store: MockStore

    package init(_ plan: FaultPlan, _ store: MockStore) {
        self.plan = plan
        self.store = store
    }

    /// Has kept from now on what the faults look back to.
    private func keepHistory() {
        pages.notesForFaults = plan.hasStaleLists
        store.faultLag = plan.longestAge
    }

    /// The reply to a command, changed by the faults that fire; nil cuts the connection. It means nothing if the
    /// request is to wait first, or if a substitute is sent and the command is not executed.
    func reply(
        to command: CloudCommand, in context: RequestContext, _ progress: inout RequestProgress
    ) throws(CloudError) -> CloudReply? {
        progress.record.note(command)
        if !plan.isEmpty {
            progress.pause = decide(on: command, in: context, progress.stage, &progress.decision)
            progress.record.entry.faults = progress.decision.fired
            guard progress.pause == nil else { return nil }
        }
        let decision = progress.decision
        guard decision.isCarriedOut || decision.substitute == nil else { return .done }
        guard let reply = try execute(command, in: context, decision) else { return nil }
        let outcome = reply.outcome
        progress.record.entry.note(outcome.count, outcome.failures)
        return reply
    }

    /// Decides on faults, as far as the request has come.
    ///
    /// - Returns: Where it is to wait first.
    private func decide(
        on command: CloudCommand, in context: RequestContext, _ stage: RequestProgress.Stage,
        _ decision: inout FaultPlan.Decision
    ) -> (holds: [GateHold], stage: RequestProgress.Stage)? {
        let facts = FaultContext(
            command: command, address: context.address, user: context.caller.user,
            device: context.caller.device, now: context.time)
        var held: [String] = []
        switch stage {
        case .new:
            let arrival = plan.holdsOnArrival(of: facts)
            guard arrival.isEmpty else {
                return (arrival.map(\.hold), .arrived(held: arrival.map(\.rule)))
            }
        case .arrived(let rules): held = rules
        case .decided(let made):
            decision = made
            return nil
        }
        decision = plan.decide(
            facts, hasDeletedZones: pages.hasDeletedZones(at: context.address, of: context.caller))
        decision.fired = held + decision.fired
        let holds = decision.holds.filter { $0.point == .beforeCommit }
        return holds.isEmpty ? nil : (holds, .decided(decision))
    }

    /// Executes a command as the faults decided; nil cuts the connection.
    private func execute(
        _ command: CloudCommand, in context: RequestContext, _ decision: FaultPlan.Decision
    ) throws(CloudError) -> CloudReply? {
        func reply(to command: CloudCommand) throws(CloudError) -> CloudReply {
            try pages.answer(
                command, at: context.address, by: context.caller, from: store,
                fault: decision.ending, origin: context.origin(behind: decision.rule?.age ?? .zero))
        }
        guard let rule = decision.rule else { return try reply(to: command) }
        func changing(_ change: AnswerFaults.Change) throws(CloudError) -> CloudReply {
            AnswerFaults(change, rule.items, of: command, among: rule.itemFilter)
                .applied(to: try reply(to: command))
        }
        let error = rule.error(signInURL: context.signIn?.url ?? "")
        switch rule.action {
        case .error: throw error
        case .throttle: throw decision.throttled ?? CloudError(.throttled)
        case .cutBeforeCommit: return nil
        case .cutAfterCommit:
            _ = try reply(to: command)
            return nil
        case .dropItems: return try changing(.drop)
        case .repeatItems: return try changing(.repeat)
        case .itemError:
            guard rule.items.unit == .items, ItemFaults.names(itemsOf: command) else {
                return try changing(.fail(error))
            }
            let split = split(command, rule, error, context)
            return split.merge(try split.remaining.map(reply))
        case .recreateZone:
            let reply = try reply(to: command)
            if case .zones(let items) = reply {
                let deleted = items.compactMap {
                    if case .deleted(let id, _) = $0 { id } else { nil }
                }
                recreate(deleted, rule, context)
            }
            return reply
        case .expireToken, .purgeZone, .deleteZone:
            try prepare(rule, for: command, context)
            return try reply(to: command)
        case .delay, .staleZoneList, .emptyPage, .repeatPage, .status, .wrongContent, .cutBody,
            .stalePage, .hold:
            return try reply(to: command)
        }
    }

    /// Takes the items out of a command that fail by a fault.
    private func split(
        _ command: CloudCommand, _ rule: FaultRule, _ error: CloudError, _ context: RequestContext
    ) -> ItemFaults {
        let (address, caller) = (context.address, context.caller)
        let owner = store.recordName(of: caller, in: address.container, address.environment)
        return ItemFaults(
            command, error: error, items: rule.items.count, among: rule.itemFilter,
            isPublic: address.scope == .public,
            resolved: { $0.resolved(in: address.scope, owner: owner) },
            atomicFailure: store.options.atomicFailure)
    }

    /// Does what a fault says before the command is executed.
    private func prepare(
        _ rule: FaultRule, for command: CloudCommand, _ context: RequestContext
    ) throws(CloudError) {
        guard let user = context.caller.user else { return }
        let address = context.address
        let zones = command.zoneNames.filter { rule.losesZone(named: $0) }
        switch rule.action {
        case .deleteZone:
            _ = try pages.answer(
                .write(.modifyZones(zones.map { .delete(RecordZone.ID($0)) })), at: address,
                by: context.caller, from: store)
        case .purgeZone:
            for zone in zones {
                try finish(EraseJob(zone, of: user, at: address, .purged))
            }
        case .expireToken:
            let isOfZones = command.items != nil
            for zone in isOfZones ? zones.map(Optional.some) : [nil] {
                try finish(
                    ExpireJob(
                        ResetScope(
                            user: user, container: address.container,
                            environment: address.environment, scope: address.scope,
                            zoneName: zone)))
            }
        default: break
        }
    }

    /// Runs a whole job in the open batch.
    private func finish(_ job: any StoreJob) throws(CloudError) {
        do throws(MockStoreError) {
            try job.finish(store)
        } catch {
            throw CloudError(.internalError, reason: "the store failed")
        }
    }

    /// Plays another device that still has the zones and uploads them again.
    private func recreate(
        _ zones: [RecordZone.ID], _ rule: FaultRule, _ context: RequestContext
    ) {
        // All in one batch: all zones together get as many records as one may.
        let records = min(
            rule.whole(.newRecords) ?? 1,
            max(1, FaultParameter.newRecordsMax / max(1, zones.count)))
        for zone in zones where rule.zone?.matches(zone.zoneName) ?? true {
            _ = try? pages.answer(
                .write(.modifyZones([.create(zone)])), at: context.address, by: context.caller,
                from: store)
            for start in stride(from: 0, to: records, by: WireLimits.operationsMax) {
                let operations = (start..<min(start + WireLimits.operationsMax, records)).map {
                    number in
                    RecordOperation(
                        .forceReplace, recordName: "from-another-device-\(number)",
                        recordType: "Note",
                        fields: ["title": Field(.string("uploaded again"))])
                }
                let request = RecordModifyRequest(operations: operations, zoneID: zone)
                _ = try? store.apply(
                    .write(.modifyRecords(request)), at: context.address, by: context.caller)
            }
        }
    }
}

extension Caller {
    /// The user's name; nil of a key, and without credentials.
    fileprivate var user: String? { if case .user(let name, _) = self { name } else { nil } }
}
