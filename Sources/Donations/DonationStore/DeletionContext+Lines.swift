import DonationSync

extension DeletionContext {
    /// A device and its number a line.
    var lines: String {
        sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    }

    /// The context written as ``lines``; lines that are none are left out.
    init(lines: String) {
        self = [:]
        for line in lines.split(separator: "\n") {
            guard let space = line.lastIndex(of: " "),
                let number = Int64(line[line.index(after: space)...])
            else { continue }
            self[String(line[..<space])] = number
        }
    }
}
