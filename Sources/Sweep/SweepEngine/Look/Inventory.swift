import CloudModel

/// What came of looking, besides the rows in the journal.
struct Inventory: Sendable {
    /// Who is signed in, container by container; only those that answered.
    var people: [Container.ID: UserIdentity] = [:]
    /// What was found out, place by place. What is not here was not looked at.
    var findings: [RowKey: Finding] = [:]
    /// The record types that were listed by, container by container.
    var listed: [Int: Set<String>] = [:]
    /// Why a container turned the person away, if one did.
    var forbidden: CloudError?
    /// Rows about no place of the list: local donations, what nobody asked for.
    var remarks: [CoverageRow] = []

    mutating func add(_ other: Inventory) {
        people.merge(other.people) { $1 }
        for (key, finding) in other.findings {
            guard findings[key] != nil else {
                findings[key] = finding
                continue
            }
            findings[key]?.add(finding)
        }
        listed.merge(other.listed) { $0.union($1) }
        forbidden = forbidden ?? other.forbidden
        remarks += other.remarks
    }

    /// Everything in scope that was not read: any of these stops a sweep.
    var unread: [CoverageRow] {
        sorted { $0.unread } + remarks.filter { $0.outcome == .notLookedAt }
    }
    /// What can be told beforehand not to be provable: the run cannot end in 0.
    var unproven: [CoverageRow] { sorted { $0.unproven } }
    /// Record types that the list or a schema names and the service does not know.
    var unknownTypes: [(container: Int, type: String)] {
        var seen: Set<String> = []
        return findings.flatMap { key, finding in
            finding.unknownTypes.map { (key.container, $0) }
        }
        .filter { seen.insert("\($0.0)\n\($0.1)").inserted }
        .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    }

    /// Every remark there is.
    var allRemarks: [CoverageRow] { sorted { $0.remarks } + remarks }

    private func sorted(_ pick: (Finding) -> [CoverageRow]) -> [CoverageRow] {
        findings.sorted { $0.key < $1.key }.flatMap { pick($0.value) }
    }
}
