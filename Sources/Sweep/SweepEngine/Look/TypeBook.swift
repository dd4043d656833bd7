import AsyncOperations
import CloudModel
import DeletionPlanning
import Journal

/// The record types that are known of each container, and who named them.
///
/// What can be listed by type only is listed by all of these. Every answer that is believed passes
/// through ``note(_:from:)`` first, so that no place has to think of it. A type that was seen once
/// is never forgotten: the journal keeps it beyond the run, because the subscription that told of
/// it may be deleted before the records are.
final class TypeBook: Sendable {
    /// Most types of one container; more is no schema.
    static let typesMax = 10_000

    private let journal: any Journal
    private let run: Int64
    private let environment: Container.Environment
    private let named: [Container.ID: Set<String>]
    private let retired: [Container.ID: Set<String>]
    private let seen: Locked<[Container.ID: Set<String>]>

    /// Opens the book with what the list names and what earlier runs have seen.
    init(
        _ request: SweepRequest, journal: any Journal, run: Int64
    ) async throws(SweepFailure) {
        self.journal = journal
        self.run = run
        environment = request.environment
        var named: [Container.ID: Set<String>] = [:]
        var retired: [Container.ID: Set<String>] = [:]
        var seen: [Container.ID: Set<String>] = [:]
        for target in request.targets {
            named[target.container] = Set(target.recordTypes ?? [])
            retired[target.container] = Set(target.retiredTypes)
            do throws(JournalError) {
                seen[target.container] = Set(
                    try await journal.types(
                        of: target.container, request.environment))
            } catch {
                throw .journal(error)
            }
        }
        self.named = named
        self.retired = retired
        self.seen = Locked(seen)
    }

    /// Every type to list by, sorted.
    func types(of container: Container.ID) -> [String] {
        (named[container] ?? []).union(seen.withLock { $0[container] ?? [] })
            .subtracting(Self.listedOtherwise).sorted()
    }

    /// Whether the list or a schema names the type, so that the service must know it.
    func isNamed(_ type: String, of container: Container.ID) -> Bool {
        named[container]?.contains(type) == true
    }

    /// Whether the list says that the type is gone from the environment.
    func isRetired(_ type: String, of container: Container.ID) -> Bool {
        retired[container]?.contains(type) == true
    }

    /// Types that no query finds: the person's own record is looked up by name, and a share is in
    /// no zone that has to be listed by type.
    private static let listedOtherwise: Set = [DeletionStep.userRecordType, "cloudkit.share"]

    /// Notes the types that an answer of the container names, before anybody sees the
    /// answer: on disk with the approval, before anything is deleted.
    func note(
        _ reply: CloudReply, from container: Container.ID
    ) async throws(SweepFailure) {
        let types = reply.recordTypes
        guard !types.isEmpty else { return }
        let fresh = seen.withLock { seen in
            let known = (seen[container] ?? []).union(named[container] ?? [])
            let fresh = types.subtracting(known).subtracting(Self.listedOtherwise)
            seen[container, default: []].formUnion(fresh)
            return fresh
        }
        guard !fresh.isEmpty else { return }
        guard seen.withLock({ $0[container]?.count ?? 0 }) <= Self.typesMax else {
            throw .refused(
                CloudError(
                    .unexpectedResponse,
                    reason: "more than \(Self.typesMax) record types were seen"))
        }
        try await journal.remember(
            [.types(container, environment, fresh.sorted())], run: run)
    }
}
