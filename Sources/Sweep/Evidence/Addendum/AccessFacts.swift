package import Basics

/// That access to what a person has in containers was restricted, or given back: Apple's access controls.
package struct AccessFacts: Sendable, Hashable {
    package enum Change: String, Sendable, CaseIterable {
        case restrict
        case unrestrict
    }

    /// What became of it in one container.
    package struct Result: Sendable, Hashable {
        package let container: String
        /// nil: the service said that it is done; else the code of its refusal.
        package let code: String?

        package init(container: String, code: String?) {
            self.container = container
            self.code = code
        }

        package var isDone: Bool { code == nil }
    }

    package let change: Change
    package let changedAt: Timestamp
    package let service: ServiceFacts
    package let environment: String
    /// Sorted by container, each once.
    package let results: [Result]

    package init(
        _ change: Change, at moment: Timestamp, service: ServiceFacts, environment: String,
        results: [Result]
    ) {
        self.change = change
        changedAt = moment
        self.service = service
        self.environment = environment
        self.results = results.sorted { $0.container < $1.container }
    }

    package var isDone: Bool { results.allSatisfy(\.isDone) }

    var canonical: CanonicalValue {
        .object([
            ("change", .text(change.rawValue)), ("changedAt", .number(changedAt.milliseconds)),
            (
                "containers",
                .list(
                    results.map {
                        .object([
                            ("code", .optional($0.code)), ("done", .flag($0.isDone)),
                            ("identifier", .text($0.container)),
                        ])
                    })
            ), ("environment", .text(environment)), ("service", service.canonical),
        ])
    }

    /// - Throws: `fields`, `addendum` when it contradicts itself.
    init(_ members: consuming Members) throws(EvidenceError) {
        change = try members.word("change", Change.self)
        changedAt = try members.time("changedAt")
        service = try ServiceFacts(members.object("service"))
        environment = try members.text("environment")
        results = try members.objects("containers") { member throws(EvidenceError) in
            let result = Result(
                container: try member.text("identifier"), code: try member.optionalText("code"))
            guard try member.flag("done") == result.isDone else {
                throw EvidenceError(.addendum, "a container is marked as done, with an error")
            }
            return result
        }
        try members.finish()
        let names = results.map(\.container)
        guard !names.isEmpty, names == Set(names).sorted() else {
            throw EvidenceError(.addendum, "its containers are missing or out of order")
        }
    }
}
