internal import Dispatch
internal import DonationStore
internal import Donations
internal import Foundation

/// Carries out what the life cycle of an activity asks for.
enum UserActivityDonor {
    // MARK: Life cycle

    static func becomeCurrent(_ activity: NSUserActivity) {
        let type = activity.activityType
        let report = Reporter(type: type, store: DonationStore.current)
        guard let store = DonationStore.current else {
            report(UserActivityError(.storeFailed, activityType: type, detail: "noStore"))
            return
        }
        guard activity.read(\.lifeCycle.phase) != .invalid else {
            report(UserActivityError(.invalidated, activityType: type))
            return
        }
        activity.saveIfNeeded()
        do throws(UserActivityError) {
            let now = store.configuration.now()
            if let types = store.configuration.activityTypes, !types.contains(type) {
                throw UserActivityError(.undeclaredType, activityType: type)
            }
            let capture = try ActivityCapture(
                activity.read { $0 }, type: type, now: now)
            donate(capture, of: activity, to: store, report: report)
        } catch {
            report(error)
        }
    }

    private static func donate(
        _ capture: ActivityCapture, of activity: NSUserActivity, to store: DonationStore,
        report: Reporter
    ) {
        if let former = activity.read(\.store), former !== store {
            receive(.resignCurrent, by: activity)
        }
        let effect = activity.change { state in
            state.store = store
            return state.lifeCycle.receive(.becomeCurrent)
        }
        guard effect != .nothing else { return }
        if effect == .donate { CurrentActivities.shared.makeCurrent(activity, in: store) }
        for warning in capture.warnings { report(warning) }
        let type = activity.activityType
        store.becomeCurrent(
            capture.donation, object: activity.number, isSaved: capture.isSaved
        ) { result in
            switch result {
            case .success(let outcome):
                if let code = UserActivityError.Code(outcome) {
                    report.tell(UserActivityError(code, activityType: type))
                }
            case .failure(let error):
                report.tell(
                    UserActivityError(
                        .storeFailed, activityType: type, detail: error.code.rawValue))
            }
        }
    }

    static func receive(_ call: ActivityLifeCycle.Call, by activity: NSUserActivity) {
        let (effect, store) = activity.change { ($0.lifeCycle.receive(call), $0.store) }
        guard let store else { return }
        if effect == .withdraw { CurrentActivities.shared.withdraw(activity.number, from: store) }
        if effect == .withdraw || call == .invalidate {
            store.resignCurrent(object: activity.number, isGone: call == .invalidate)
        }
    }

    /// Ends the advertising of an object that is gone, and tells an app that it let go of what it
    /// wanted to be found by.
    static func forget(_ state: ActivityState, number: UInt64, type: String) {
        guard let store = state.store else { return }
        CurrentActivities.shared.withdraw(number, from: store)
        store.resignCurrent(object: number, isGone: true)
        if state.lifeCycle.phase == .current, state.isEligibleForSearch {
            DonationDiagnostics.current?(UserActivityError(.letGoWhileCurrent, activityType: type))
        }
    }

    // MARK: Deletion

    /// Deletes by persistent identifier, or all when there is no list.
    static func delete(
        _ persistentIdentifiers: [String]?, completion: @escaping @Sendable () -> Void
    ) {
        guard let store = DonationStore.current else {
            DonationDiagnostics.current?(
                UserActivityError(.storeFailed, activityType: "", detail: "noStore"))
            callbacks.async(execute: completion)
            return
        }
        let report = Reporter(type: "", store: store)
        let selector: DonationSelector =
            persistentIdentifiers.map { .activities(persistentIdentifiers: $0) } ?? .allActivities
        endCurrent(of: store, hitBy: persistentIdentifiers)
        store.delete(selector, scope: .everywhere) { result in
            if case .failure(let error) = result {
                report.tell(
                    UserActivityError(.storeFailed, activityType: "", detail: error.code.rawValue))
            }
            callbacks.async { DonationStore.withStore(store, completion) }
        }
    }

    /// Completion handlers run here, in order, so that none can hold up the store or its caller.
    private static let callbacks = DispatchQueue(label: "UserActivity.completions")

    /// Runs something on the queue of handlers.
    static func callBack(_ body: @escaping @Sendable () -> Void) { callbacks.async(execute: body) }

    /// D16, at the moment of the call: an activity that becomes current after it stays so.
    private static func endCurrent(
        of store: DonationStore, hitBy persistentIdentifiers: [String]?
    ) {
        guard let activity = CurrentActivities.shared.current(in: store) else { return }
        let name = activity.persistentIdentifier?.orNil
        guard persistentIdentifiers?.contains(where: { $0.isSame(as: name) }) ?? true else {
            return
        }
        receive(.deletion, by: activity)
    }

    // MARK: Reports

    /// Tells the store's log and the handler of the caller.
    struct Reporter: Sendable {
        let type: String
        let store: DonationStore?
        let handler = DonationDiagnostics.current

        /// Notes a refusal that was decided here, and tells the handler.
        func callAsFunction(_ error: UserActivityError) {
            if let outcome = error.code.outcome {
                store?.note(outcome, kind: .activity, type: type)
            }
            tell(error)
        }

        /// Tells the handler alone, of what the store has noted itself.
        func tell(_ error: UserActivityError) { handler?(error) }
    }
}

extension UserActivityError.Code {
    /// What a refusal of the store is called here; nil when it is none.
    init?(_ outcome: DonationOutcome) {
        switch outcome {
        case .stored, .replaced, .unchanged: return nil
        case .refusedItemMissing: self = .relatedItemMissing
        case .refusedRestricted, .refusedErased, .refusedDeleted: self = .restricted
        case .refusedActivityType: self = .undeclaredType
        case .refusedValue: self = .disallowedValue
        case .refusedFromSiri, .refusedInvalid: self = .invalidated
        }
    }

    /// What the store's log calls it; nil for warnings and for what the store knows already.
    var outcome: DonationOutcome? {
        switch self {
        case .disallowedValue, .tooDeep: .refusedValue
        case .undeclaredType: .refusedActivityType
        case .relatedItemMissing: .refusedItemMissing
        case .restricted: .refusedRestricted
        case .expired, .invalidated: .refusedInvalid
        case .nothingToPublish, .emptyIdentifier, .unsupportedScheme, .storeFailed,
            .letGoWhileCurrent:
            nil
        }
    }
}
