/// Rules in lines of text: each line has one rule, a comment after `#`, or nothing.
package struct FaultScript: Sendable {
    package let rules: [FaultRule]

    /// Bytes of a script.
    package static let bytesMax = 1 << 20
    private static let nameMax = 20

    /// Parses a script in UTF-8; see ``init(_:called:)``.
    package init(_ bytes: [UInt8], called name: String = "line") throws(FaultError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            // Each line by itself, as no line feed is part of another character.
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let wrong = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            var error = FaultError("the line is not UTF-8")
            error.line = (wrong ?? 0) + 1
            throw error
        }
        try self.init(text, called: name)
    }

    /// Parses a script. A rule without a name is named after its line.
    ///
    /// - Parameter name: The prefix of the line number in such names; its first characters are used.
    /// - Throws: ``FaultError`` with line and column.
    package init(_ text: String, called name: String = "line") throws(FaultError) {
        let name = name.prefix(Self.nameMax)
        guard text.utf8.count <= Self.bytesMax else {
            throw FaultError("a fault script has at most \(Self.bytesMax) bytes")
        }
        var rules: [FaultRule] = []
        var lines: [String: Int] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            do throws(FaultError) {
                guard try !FaultWord.split(String(line)).isEmpty else { continue }
                let rule = try FaultRule(id: "\(name)-\(index + 1)", text: String(line))
                if let other = lines.updateValue(index + 1, forKey: rule.id) {
                    throw FaultError("line \(other) has a rule named \"\(rule.id)\" already")
                }
                rules.append(rule)
                guard rules.count <= FaultPlan.rulesMax else {
                    throw FaultError("at most \(FaultPlan.rulesMax) faults can be set")
                }
            } catch {
                var error = error
                error.line = index + 1
                throw error
            }
        }
        self.rules = rules
    }
}
