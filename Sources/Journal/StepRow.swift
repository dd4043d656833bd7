/// A line of a plan, as the journal keeps it.
package struct PlanLineRow: Sendable, Hashable {
    /// Its place in the plan, from 0.
    package let number: Int
    /// The line as it stands in the plan file, without the line break.
    package let line: [UInt8]
    /// Where it is a step: whose database, and what kind of work; nil for a kept item.
    package let step: Step?

    package init(number: Int, line: [UInt8], step: Step?) {
        self.number = number
        self.line = line
        self.step = step
    }

    /// What is known of a step without reading its line.
    package struct Step: Sendable, Hashable {
        package let container: Int
        package let scope: Int
        package let kind: Int
        package let items: Int

        package init(container: Int, scope: Int, kind: Int, items: Int) {
            self.container = container
            self.scope = scope
            self.kind = kind
            self.items = items
        }
    }
}

/// A step and how far it has come.
package struct StepRow: Sendable, Hashable {
    package let number: Int
    package let line: [UInt8]
    package let container: Int
    package let scope: Int
    package let kind: Int
    package let items: Int
    package let state: StepState
    package let outcome: StepOutcome
}

/// What became of a step's items.
package struct StepOutcome: Sendable, Hashable {
    package var attempts = 0
    package var deleted = 0
    package var alreadyGone = 0
    package var failed = 0
    package init() {}
}

/// The steps of one database and kind, added up.
package struct StepSum: Sendable, Hashable {
    package let container: Int
    package let scope: Int
    package let kind: Int
    package let steps: Int
    package let items: Int
    package let settledSteps: Int
    package let outcome: StepOutcome
}

/// One item that could not be deleted or listed.
package struct FailureRow: Sendable, Hashable {
    package let container: Int
    package let scope: Int
    package let kind: String
    package let name: String
    package let code: String
    package let reason: String

    package init(
        container: Int, scope: Int, kind: String, name: String, code: String, reason: String
    ) {
        self.container = container
        self.scope = scope
        self.kind = kind
        self.name = name
        self.code = code
        self.reason = reason
    }
}
