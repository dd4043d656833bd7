import Liar
import SweepEngine

extension Trial.Result {
    /// What must not be, whatever was said to the client; empty: nothing is wrong.
    var violations: [String] {
        var found: [String] = []
        let isDetectable = if case .undetectable = row.excuse { false } else { true }
        let isPreventable = if case .unpreventable = row.excuse { false } else { true }
        if status == nil { found.append("it hangs") }
        if status == .internalError { found.append("internal error: \(explanation)") }
        if status == .done, !verdict.left.isEmpty, isDetectable {
            found.append("exit 0 with \(Self.listed(verdict.left)) left")
        }
        if status == .done, !verdict.destroyed.isEmpty {
            found.append("exit 0 with \(Self.listed(verdict.destroyed)) destroyed")
        } else if !verdict.destroyed.isEmpty, isPreventable {
            found.append(
                "exit \(status?.rawValue ?? -1) with \(Self.listed(verdict.destroyed)) destroyed")
        }
        if status == .done, let lie = row.connectionLie, lie.moment != .always {
            found.append("exit 0 although somebody else answered in the middle")
        }
        if row.isHonest, status != .done {
            found.append("exit \(status?.rawValue ?? -1) of an honest run: \(explanation)")
        }
        return found
    }

    /// All of it in one line, for whoever works on the table.
    var line: String {
        let code = status.map { String($0.rawValue) } ?? "-"
        let ms = took / .milliseconds(1)
        var found = violations.isEmpty ? "" : " FAILED: " + violations.joined(separator: "; ")
        if status == .done, !verdict.left.isEmpty, violations.isEmpty { found = " EXCUSED" }
        return "\(code) \(Int(ms)) ms, \(requests) requests\(hasLied ? "" : ", NEVER LIED"): "
            + "\(row.name)\(found)"
    }

    /// How many there are, and the first two.
    private static func listed(_ things: [String]) -> String {
        let first = things.prefix(2).map { String($0.prefix(120)) }.joined(separator: "; ")
        return "\(things.count) (\(first))"
    }
}
