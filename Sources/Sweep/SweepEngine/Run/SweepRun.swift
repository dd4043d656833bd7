import AsyncOperations
import CloudCourier
import CloudModel
import DataExport
import DeletionPlanning
import Evidence
import Journal
import OpenSSL

/// One run under way: its parts, and what it knows so far. Its stages are in the files beside it.
struct SweepRun: Sendable {
    let verb: Verb
    let request: SweepRequest
    let world: SweepWorld
    let journal: any Journal
    let courier: SweepCourier
    let pseudonyms: Pseudonyms
    /// For what is shown to others.
    let caseKey: CaseKey
    /// Signs evidence; nil where there is no key.
    let signingKey: SigningKey?
    let events: EventWriter
    let stage: PlanStage
    let types: TypeBook
    var row: RunRow

    /// The request that the run answers; nil: nobody said.
    var erasureRequest: ErasureRequest?
    /// Whether this command may have sent something that deletes.
    var hasSent = false
    /// Who the person is, from the first look on: nobody else is deleted or believed.
    var people: [Container.ID: UserIdentity] = [:]
    /// The look before the first deletion.
    var inventory: Inventory?
    var donations: DonationStage?
    /// What the person approves or has approved.
    var planned: Planned?
    /// Who has signed that.
    var signatures = PlanSignatures.none
    /// What a plan made of the look of now comes to.
    var outline: PlanOutline?
    var passes: [Pass] = []
    var proof: ProofSummary?
    /// Why there is no proof, although the run came to its end.
    var missing: VerifiedEmpty.Missing?
    var timings: [SweepReport.Timing] = []
    /// Whether an export holds the contents of all that could be read.
    var hasContents = false
    /// What shows that an export was written.
    var exported: ExportReceipt?
    /// The run that is looked at again; only in a watch's look.
    var watched: WatchedRun?
    /// What came back of it, once the look came to its end.
    var returned: Returned?
    /// The export that has to be there before anything is deleted, as it was read again last; nil:
    /// none was asked for.
    var export: VerifiedExport?
    /// Where that is.
    var exportFolder: String?

    init(
        _ verb: Verb, _ request: SweepRequest, _ world: SweepWorld, _ journal: any Journal,
        _ keys: RunKeys, _ row: RunRow
    ) async throws(SweepFailure) {
        self.verb = verb
        self.request = request
        self.world = world
        self.journal = journal
        self.row = row
        pseudonyms = keys.pseudonyms
        caseKey = keys.caseKey
        signingKey = keys.signing
        stage = PlanStage(
            request: request, journal: journal, run: row.key, key: keys.state)
        types = try await TypeBook(request, journal: journal, run: row.key)
        courier = SweepCourier(request.limits, in: world, noting: types)
        events = EventWriter(
            environment: request.environment, caseKey: caseKey, wallClock: world.wallClock)
        donations = world.donations.map { DonationStage(store: $0, request: request) }
    }

    /// The look that says what is there now: a plan that is made and carried out in one go needs
    /// no second one.
    var current: Look { verb.hasEarlierPlan ? .fresh : .planned }

    /// Writes changes that are on disk when it returns.
    func keep(_ changes: [JournalChange]) async throws(SweepFailure) {
        try await journal.keep(changes, run: row.key)
    }

    /// Writes changes that are on disk with the next ``keep``.
    func remember(_ changes: [JournalChange]) async throws(SweepFailure) {
        try await journal.remember(changes, run: row.key)
    }

    /// Runs one phase, telling of its beginning and end.
    mutating func phase(
        _ phase: SweepPhase,
        _ body: (inout SweepRun) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        if courier.isStopped { throw .stopped }
        courier.note {
            $0.phase = phase
            $0.itemsDone = 0
        }
        world.tell(.phaseBegan(phase))
        let began = courier.elapsed
        let result: Result<Void, SweepFailure>
        do throws(SweepFailure) {
            try await body(&self)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        let took = courier.elapsed - began
        timings.append(SweepReport.Timing(phase: phase, took: took))
        world.tell(.phaseEnded(phase, took: took))
        try result.get()
    }

    // MARK: Who and where

    /// The configured containers and who is signed in there, in the order of rows.
    var subjects: [PlanFacts.Subject] { subjects(people) }

    /// The same for who was found by some look.
    func subjects(_ people: [Container.ID: UserIdentity]) -> [PlanFacts.Subject] {
        request.targets.map { target in
            PlanFacts.Subject(
                container: target.container,
                userPseudonym: people[target.container].map {
                    pseudonyms.user(
                        $0.userRecordName, in: target.container, request.environment)
                } ?? Self.unknownPerson)
        }
    }

    /// Who the person is in a container, to others.
    func casePseudonym(_ container: Container.ID) -> String {
        people[container].map {
            caseKey.pseudonym(
                of: $0.userRecordName, .user, in: container.rawValue,
                request.environment.rawValue)
        } ?? ErasureFacts.unknownUser
    }

    /// What stands for a person that nobody could ask for.
    static let unknownPerson = "unknown"

    /// What a proof must be about.
    var binding: ProofBinding {
        ProofBinding(
            run: row.id, environment: request.environment, server: world.server,
            serverKey: row.serverKey, subjects: subjects)
    }

    /// A stage that looks under a number.
    func looking(
        _ look: Look, on databases: @escaping ReadableDatabases,
        tell: (@Sendable (SweepEvent) -> Void)? = nil
    ) -> LookStage {
        LookStage(
            request: request, courier: courier, journal: journal, run: row.key, look: look,
            types: types, databases: databases, expected: people, tell: tell ?? world.tell)
    }

    /// The failures noted so far.
    func failures(
        limit: Int
    ) async throws(SweepFailure) -> (rows: [FailureRow], count: Int) {
        do throws(JournalError) {
            return try await journal.failures(run: row.key, limit: limit)
        } catch {
            throw .journal(error)
        }
    }
}
