import CommandTable

/// What it takes to have the same server once more.
enum MockReplay {
    /// The command line that was typed, with the seed that its server had.
    static func line(_ verb: Verb, _ arguments: Arguments, seed: UInt64) -> String {
        var words = ["cksweep"] + verb.words
        let seedOption = MockServerOptions.randomSeed
        for option in verb.options where option != seedOption && arguments.has(option) {
            guard option.value != nil else {
                words.append("--\(option.name)")
                continue
            }
            for text in arguments.texts(option) { words += ["--\(option.name)", text] }
        }
        words += ["--\(seedOption.name)", "\(seed)", "--"] + arguments.command
        return words.map { ShellWord.quoted($0) }.joined(separator: " ")
    }
}
