package import Basics
package import CloudModel
package import DeletionPlanning
package import Journal

/// A request to delete that no run has met yet.
package struct DueRequest: Sendable, Hashable {
    package let request: ErasureRequest
    /// The newest run that answers it.
    package let runID: String
    package let environment: Container.Environment
    /// The server that was asked; nil for runs of the first version.
    package let server: ServerFacts?
    package let containers: [Container.ID]
    /// How that run ended; nil while it runs, or when it was cut off.
    package let status: ExitStatus?
    package let canResume: Bool
}

extension SweepHistory {
    /// The requests that are open, the one that is due first at the head.
    ///
    /// Runs answer the same request when they are about the same person, containers, environment and
    /// server, and name the same day and law. It is met once a run about the same, which began after
    /// it came in, has ended with 0 and was verified: a plan is no deletion, not even an empty one.
    ///
    /// - Throws: why the journal cannot be read.
    package func dueRequests() async throws(JournalError) -> [DueRequest] {
        guard SQLiteJournal.isThere(in: stateFolder) else { return [] }
        let journal = journal()
        return try DueRequest.open(
            among: try await journal.runs(limit: nil), try await journal.notes(ErasureNote.key))
    }
}

extension DueRequest {
    /// The requests that are open among runs, newest first.
    ///
    /// - Parameter notes: What the runs noted, by their keys.
    static func open(
        among rows: [RunRow], _ notes: [Int64: [UInt8]]
    ) throws(JournalError) -> [DueRequest] {
        var met: [Target: Timestamp] = [:]
        for row in rows where row.isProof {
            met[Target(row)] = max(met[Target(row)] ?? row.began, row.began)
        }
        var seen: Set<Asked> = []
        var open: [DueRequest] = []
        for row in rows {
            guard let request = try ErasureNote.request(in: notes[row.key]) else { continue }
            let target = Target(row)
            if let time = met[target], time >= request.cameIn { continue }
            guard seen.insert(Asked(target: target, request: request)).inserted else { continue }
            open.append(DueRequest(request: request, row))
        }
        return open.sorted { ($0.request.due, $0.runID) < ($1.request.due, $1.runID) }
    }

    /// One request about one target.
    private struct Asked: Hashable {
        let target: Target
        let request: ErasureRequest
    }

    /// What a run is about: whose data, and where.
    private struct Target: Hashable {
        let environment: Container.Environment
        let server: String
        let containers: [Container.ID]
        let subjects: [String]
        /// The run itself, where nobody could ask who the person is.
        let run: Int64?

        init(_ row: RunRow) {
            environment = row.environment
            server = row.server
            containers = row.containers
            subjects = row.subjects
            let isKnown = !row.subjects.isEmpty && !row.subjects.contains(SweepRun.unknownPerson)
            run = isKnown ? nil : row.key
        }
    }
}

extension RunRow {
    /// Whether it ended with everything gone and verified. An empty plan proves nothing.
    fileprivate var isProof: Bool {
        guard status == Int(ExitStatus.done.rawValue), let verb = Verb(rawValue: verb) else {
            return false
        }
        return verb.deletes || verb == .verify
    }
}

extension ErasureRequest {
    /// The beginning of the day on which it came.
    fileprivate var cameIn: Timestamp {
        Timestamp(milliseconds: Int64(receivedOn.daysSince1970) * 86_400_000)
    }
}

extension DueRequest {
    private init(request: ErasureRequest, _ row: RunRow) {
        self.init(
            request: request, runID: row.id, environment: row.environment,
            server: row.server.isEmpty
                ? nil : ServerFacts(url: row.server, isRehearsal: row.isRehearsal),
            containers: row.containers,
            status: row.status.flatMap { ExitStatus(rawValue: Int32(clamping: $0)) },
            canResume: row.canResume)
    }
}
