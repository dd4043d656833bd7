/// What a name says in words.
enum Words {
    /// “Has attachment file” for `hasAttachmentFile` and for `INHasAttachmentFileIntent`.
    static func of(_ name: String) -> String {
        var letters = Array(name)
        if name.hasPrefix("IN"), letters.count > 2, letters[2].isUppercase {
            letters.removeFirst(2)
        }
        if String(letters).hasSuffix("Intent") { letters.removeLast(6) }
        var words: [String] = [""]
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, index > 0 {
                let follows = index + 1 < letters.count && letters[index + 1].isLowercase
                if !letters[index - 1].isUppercase || follows { words.append("") }
            }
            words[words.count - 1].append(letter)
        }
        let text = words.map { word in
            word.count > 1 && word == word.uppercased() ? word : word.lowercased()
        }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
