/// What is wrong with a plan file, and where.
package struct PlanFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counts from 1; 0 when it is about the whole file.
    package let line: Int
    /// Counts from 1.
    package let column: Int
    package let reason: String
    /// Whether the file was whole once and was changed since.
    package let isTampering: Bool

    init(line: Int, column: Int = 1, reason: String, isTampering: Bool = false) {
        self.line = line
        self.column = column
        self.reason = reason
        self.isTampering = isTampering
    }

    /// What is wrong with the file of that name: `app.plan:3:17: …`.
    package func text(file: String) -> String {
        let place = line > 0 ? ":\(line):\(column)" : ""
        return "\(file)\(place): not a complete plan of cksweep: \(reason)"
    }

    package var description: String {
        line > 0 ? "line \(line), column \(column): \(reason)" : reason
    }
}
