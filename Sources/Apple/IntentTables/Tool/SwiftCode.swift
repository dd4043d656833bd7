/// Swift code that is written line by line.
struct SwiftCode {
    private(set) var lines: [String] = []
    private var depth = 0

    /// The code as a file's text.
    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func add(_ line: String) {
        lines.append(line.isEmpty ? "" : String(repeating: "    ", count: depth) + line)
    }

    /// Adds what documents the next line.
    mutating func document(_ documentation: [String], or words: String) {
        for line in documentation.isEmpty ? [words] : documentation {
            add(line.isEmpty ? "///" : "/// " + line)
        }
    }

    /// Adds a block in braces.
    mutating func block(_ head: String, _ body: (inout SwiftCode) -> Void) {
        add(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        add("}")
    }
}
