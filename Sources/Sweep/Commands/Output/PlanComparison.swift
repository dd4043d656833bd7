import CloudModel
import DeletionPlanning
import OpenSSL

/// What two plans have in common and what not, thing by thing.
///
/// Every thing of the first plan is held as sixteen bytes, so that plans of any size but
/// ``thingsMax`` are compared in little memory. Give it the first plan, then the second; what is left
/// then is only in the first.
struct PlanComparison {
    /// Things of one plan: about 200 megabytes.
    static let thingsMax = 4_000_000

    /// What a plan says of a thing.
    enum Fate: String, Sendable, Hashable {
        case deleted
        case kept
        case unproven
    }

    /// One thing that a plan names.
    struct Thing: Sendable, Hashable {
        let container: Container.ID
        let scope: Database.Scope
        let name: String
        let fate: Fate
        /// Why it is kept.
        let why: String?
    }

    /// How a thing differs.
    enum Change: Sendable, Hashable {
        case added
        case removed
        /// It was this before.
        case changed(Fate)
    }

    private struct Fingerprint: Hashable {
        let high: UInt64
        let low: UInt64
    }

    private var first: [Fingerprint: Fate] = [:]
    private(set) var added = 0
    private(set) var changed = 0
    /// Things of the first plan that the second has not named so far.
    var removed: Int { first.count }
    var isSame: Bool { added == 0 && changed == 0 && removed == 0 }

    /// Takes in a thing of the first plan.
    ///
    /// - Returns: false when there are too many.
    mutating func addFirst(_ thing: Thing) -> Bool {
        first[Self.fingerprint(thing)] = thing.fate
        return first.count <= Self.thingsMax
    }

    /// Takes in a thing of the second plan.
    ///
    /// - Returns: how it differs; nil: it does not.
    mutating func addSecond(_ thing: Thing) -> Change? {
        guard let before = first.removeValue(forKey: Self.fingerprint(thing)) else {
            added += 1
            return .added
        }
        guard before != thing.fate else { return nil }
        changed += 1
        return .changed(before)
    }

    /// Whether a thing of the first plan was not named by the second.
    func isRemoved(_ thing: Thing) -> Bool { first[Self.fingerprint(thing)] != nil }

    private static func fingerprint(_ thing: Thing) -> Fingerprint {
        let text = "\(thing.container)\n\(thing.scope.rawValue)\n\(thing.name)"
        let digest = SHA256.hash(Array(text.utf8))
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        return Fingerprint(high: number(digest[0..<8]), low: number(digest[8..<16]))
    }

    /// The things that a line of a plan names.
    static func things(of item: PlanItem, _ reason: String?) -> [Thing] {
        switch item {
        case .step(let step):
            let names =
                step.work == .userRecord
                ? [PlanSummary.name(.userRecord)] : PlanSummary.names(step.work)
            return names.map {
                Thing(
                    container: step.container, scope: step.scope, name: $0, fate: .deleted, why: nil
                )
            }
        case .kept(let kept):
            return [
                Thing(
                    container: kept.container, scope: kept.scope, name: PlanSummary.name(kept.what),
                    fate: .kept, why: PlanSummary.why(kept.because, reason))
            ]
        case .unproven(let place):
            let subject = place.subject.isEmpty ? "" : " \(place.subject)"
            return [
                Thing(
                    container: place.container, scope: place.scope, name: place.place + subject,
                    fate: .unproven, why: nil)
            ]
        }
    }
}
