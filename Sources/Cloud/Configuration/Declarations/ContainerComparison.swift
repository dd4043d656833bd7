package import CloudModel

/// What a list and an app's declarations say of each container.
package struct ContainerComparison: Sendable {
    /// How a container stands.
    package enum State: String, Sendable {
        case missing
        case listed
        case notInScope
        case undeclared
    }

    /// One container.
    package struct Finding: Sendable, Hashable {
        package let id: Container.ID
        package let state: State
        /// Where it is declared, or why it is left out.
        package let detail: String
    }

    package let findings: [Finding]

    package init(_ list: ContainerList, _ scan: DeclarationScan) {
        let declared = Dictionary(grouping: scan.containers) { $0.id }
        var findings: [Finding] = []
        for (id, places) in declared.sorted(by: { $0.key < $1.key }) {
            let first =
                places[0].place
                + (places.count > 1 ? " and \(places.count - 1) more" : "")
            if list.containers.contains(where: { $0.id == id }) {
                findings.append(Finding(id: id, state: .listed, detail: first))
            } else if let exclusion = list.notInScope.first(where: { $0.id == id }) {
                findings.append(Finding(id: id, state: .notInScope, detail: exclusion.reason))
            } else {
                findings.append(Finding(id: id, state: .missing, detail: first))
            }
        }
        for entry in list.containers where declared[entry.id] == nil {
            findings.append(Finding(id: entry.id, state: .undeclared, detail: list.file))
        }
        self.findings = findings
    }
}
