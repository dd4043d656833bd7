import CommandLine

/// What it takes to have the same server once more.
enum RepeatLine {
    /// The command line that was typed, with the seed that its server had.
    ///
    /// - Parameters:
    ///   - file: The one file of faults that it was run with, of several.
    ///   - appleHosts: The hosts named in addition to Apple's, if it was run with `--apple`, which decides some options.
    static func line(
        _ verb: Verb, _ arguments: Arguments, seed: UInt64, only file: FaultFile? = nil,
        appleHosts: [String]? = nil
    ) -> String {
        var words = ["cloudkit-mock"] + verb.words
        if let appleHosts {
            words.append("--\(AppleRun.apple.name)")
            for host in appleHosts { words += ["--\(AppleRun.host.name)", host] }
        }
        let seedOption = ServeOptions.randomSeed
        for option in verb.options where option != seedOption && arguments.has(option) {
            if file != nil, option == ExecCommand.matrix { continue }
            if appleHosts != nil, AppleRun.decided.contains(option) { continue }
            guard option.value != nil else {
                words.append("--\(option.name)")
                continue
            }
            let isOfFiles = option == ServeOptions.faultFile
            let texts = isOfFiles ? file.map { [$0.path] } : nil
            for text in texts ?? arguments.texts(option) { words += ["--\(option.name)", text] }
        }
        words += ["--\(seedOption.name)", "\(seed)", "--"] + arguments.command
        return words.map { ShellWord.quoted($0) }.joined(separator: " ")
    }
}
