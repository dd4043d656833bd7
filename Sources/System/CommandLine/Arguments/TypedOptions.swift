/// Reads values of options out of a command line that is still being typed.
package struct TypedOptions: Sendable {
    private let words: [String]

    /// - Parameter words: What stands after the program's name, the word that is being typed among it.
    package init(_ words: [String]) { self.words = words.dropLast() }

    /// What was given for an option, in any of its spellings and in order.
    package func texts(_ option: Option) -> [String] {
        var texts: [String] = []
        let attached = "--\(option.name)="
        for (index, word) in words.enumerated() {
            if word == "--" { break }
            if word.hasPrefix(attached) {
                texts.append(String(word.dropFirst(attached.count)))
            } else if word == "--\(option.name)" || word == option.short.map({ "-\($0)" }) {
                if index + 1 < words.count { texts.append(words[index + 1]) }
            } else if let short = option.short, word.hasPrefix("-\(short)") {
                texts.append(String(word.dropFirst(2)))
            }
        }
        return texts
    }
}
