import CloudModel
import DeletionPlanning
import Journal

/// A place where a person's data can lie: one value that finds what is there, removes it, and
/// asks whether it is still there.
///
/// The engine runs places and knows none of them by name. A new place is a new file and a line in
/// ``Places/all``.
protocol Place: Sendable {
    /// The row of the coverage map it is counted in.
    var kind: CoverageRow.Kind { get }
    var scope: Database.Scope { get }
    /// What it notes in the journal, and takes steps for.
    var items: Set<ItemKind> { get }
    /// Whether it can be listed by record type only, so that it is looked at after everything that
    /// may tell of types.
    var needsTypes: Bool { get }

    /// Whether it has a row only where there is something: another place looks for it.
    var isPart: Bool { get }
    /// Whether only somebody who is signed in reaches it.
    var needsSignIn: Bool { get }

    /// Most things that are removed together.
    var batchMax: Int { get }

    /// Looks at everything there and notes it in the journal.
    ///
    /// - Returns: a finding that is complete only when nothing was left out.
    /// - Throws: `refused` when the place as a whole could not be read: then nothing is known.
    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding

    /// Asks for things by name: of what was to be deleted none may be there, and all of what is
    /// kept must be.
    ///
    /// - Returns: those of `step`'s names that are there.
    func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String]

    /// Sends one request that deletes `names` of `step`.
    ///
    /// - Returns: the answer for each name; one that is missing was not answered.
    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer]
}

extension Place {
    var needsTypes: Bool { false }
    var isPart: Bool { false }
    var needsSignIn: Bool { false }
    var batchMax: Int { DeletionStep.itemsMax }
}

/// All places, in the order of the coverage map.
enum Places {
    static let all: [any Place] = [
        CustomZones(), DefaultZone(), KeptZoneRecords(), SharesGiven(), SharedZones(),
        SharedRecords(), PublicRecords(),
        Subscriptions(scope: .private), Subscriptions(scope: .shared),
        Subscriptions(scope: .public), UserRecord(),
        Assets(scope: .private), Assets(scope: .shared), Assets(scope: .public),
    ]

    /// The places that a request is about: those of its databases, as far as they can be reached.
    static func of(_ request: SweepRequest) -> [any Place] {
        all.filter {
            request.scopes.contains($0.scope)
                && (request.namedPerson == nil || !$0.needsSignIn)
        }
    }

    /// The place that an item in a database belongs to.
    static func of(_ item: ItemKind, in scope: Database.Scope) -> (any Place)? {
        all.first { $0.scope == scope && $0.items.contains(item) }
    }

    /// The row that an item is counted in.
    static func kind(of item: ItemKind, in scope: Database.Scope) -> CoverageRow.Kind? {
        of(item, in: scope)?.kind
    }
}
