import CloudCourier
import CloudModel
import DeletionPlanning
import Evidence
package import Journal

/// Finds the person or zone behind a pseudonym, in the runs of one state folder: the other way round
/// than pseudonyms are made, it tries every name that the journal has under the key of each run.
struct PseudonymSearch: Sendable {
    let journal: any Journal
    let history: SweepHistory
    let pseudonym: String

    /// Every run that the pseudonym is of, newest first.
    ///
    /// - Throws: why the journal cannot be read: nothing that was not searched counts as not found.
    func find() async throws(JournalError) -> [PseudonymOwner] {
        let rows = try await journal.runs(limit: nil)
        // Before the first run there is no secret.
        guard !rows.isEmpty else { return [] }
        let ofFolder = Pseudonyms(key: try await journal.secret("pseudonyms"))
        var owners: [PseudonymOwner] = []
        for row in rows {
            let key = try await journal.keptCaseKey(run: row.key)
            let report = try await history.report(run: row.id)
            if let key {
                owners += try await people(of: row, key, ofFolder)
                owners += try await zones(of: row, report, key)
            } else if let report {
                owners += forgotten(row, report)
            }
        }
        return owners
    }

    /// Whether a pseudonym is the one, or begins like it.
    private func isMeant(_ whole: String) -> Bool { whole.hasPrefix(pseudonym) }

    private func people(
        of row: RunRow, _ key: CaseKey, _ ofFolder: Pseudonyms
    ) async throws(JournalError) -> [PseudonymOwner] {
        var owners: [PseudonymOwner] = []
        for container in row.containers {
            let note = RunKeys.personNote(container)
            guard let bytes = try await journal.note(run: row.key, key: note) else { continue }
            let name = String(decoding: bytes, as: UTF8.self)
            let environment = row.environment
            let known = [
                key.pseudonym(of: name, .user, in: container.rawValue, environment.rawValue),
                ofFolder.user(name, in: container, environment),
            ]
            guard known.contains(where: isMeant) else { continue }
            owners.append(owner(row, container, .user, name))
        }
        return owners
    }

    /// Zones of the plan, and those that the report has rows about.
    private func zones(
        of row: RunRow, _ report: SweepReport?, _ key: CaseKey
    ) async throws(JournalError) -> [PseudonymOwner] {
        let isMeant = { (name: String, container: Container.ID) in
            self.isMeant(key.zone(name, in: container, row.environment))
        }
        for line in report?.rows ?? [] where line.kind.namesZones {
            guard let name = line.subject, isMeant(name, line.container) else { continue }
            return [owner(row, line.container, .zone, name)]
        }
        var next = 0
        while true {
            let page = try await journal.planLines(
                run: row.key, from: next, limit: PlanLines.pageSize)
            for line in page {
                guard let (container, names) = try Self.zones(in: line),
                    let name = names.first(where: { isMeant($0, container) })
                else { continue }
                return [owner(row, container, .zone, name)]
            }
            guard let last = page.last else { return [] }
            next = last.number + 1
        }
    }

    /// The zones that a line of a plan names; nil: it is about something else.
    private static func zones(
        in row: PlanLineRow
    ) throws(JournalError) -> (Container.ID, [String])? {
        let line: PlanLine
        do throws(PlanFileError) {
            line = try PlanLine(row.line, line: row.number + 1)
        } catch {
            throw JournalError(.corrupt, "line \(row.number + 1) of a plan is damaged")
        }
        guard case .item(let item, _) = line else { return nil }
        switch item {
        case .step(let step):
            guard case .zones(let zones) = step.work else { return nil }
            return (step.container, zones.map(\.qualifiedName))
        case .kept(let kept):
            guard case .zone(let zone) = kept.what else { return nil }
            return (kept.container, [zone.qualifiedName])
        case .unproven: return nil
        }
    }

    /// What a forgotten run's report calls somebody or a zone, although nobody can say whom.
    private func forgotten(_ row: RunRow, _ report: SweepReport) -> [PseudonymOwner] {
        let people = report.subjects.filter { $0.pseudonymForOthers.map(isMeant) ?? false }
            .map { owner(row, $0.container, .user, nil) }
        let zones = report.rows.filter { $0.kind.namesZones && $0.subject.map(isMeant) ?? false }
            .map { owner(row, $0.container, .zone, nil) }
        return people + zones
    }

    private func owner(
        _ row: RunRow, _ container: Container.ID, _ kind: CaseKey.Kind, _ name: String?
    ) -> PseudonymOwner {
        PseudonymOwner(run: row.id, container: container, kind: kind, name: name)
    }
}

extension SweepHistory {
    /// Who or what a pseudonym of evidence, a report or a plan stands for, run by run; its beginning
    /// is enough.
    package func owners(of pseudonym: String) async throws(JournalError) -> [PseudonymOwner] {
        guard SQLiteJournal.isThere(in: stateFolder) else { return [] }
        return try await PseudonymSearch(
            journal: journal(), history: self, pseudonym: pseudonym
        ).find()
    }
}
