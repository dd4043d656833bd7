package import CloudModel

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
        package let scope: Database.Scope
        package let kind: ItemKind
        package let items: Int

        package init(container: Int, scope: Database.Scope, kind: ItemKind, items: Int) {
            self.container = container
            self.scope = scope
            self.kind = kind
            self.items = items
        }
    }
}
