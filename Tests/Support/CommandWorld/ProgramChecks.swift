package import CommandLine
import Foundation
import Testing

/// What must hold of every program: of its table of verbs, its help and its manual.
package struct ProgramChecks {
    private let program: Program

    package init(_ program: Program) { self.program = program }

    package func namesAndOptionsAreUniqueAndDocumented() {
        let names = program.verbs.map(\.name)
        #expect(Set(names).count == names.count)
        for verb in program.verbs {
            let options = verb.allOptions.map(\.name)
            #expect(Set(options).count == options.count, "\(verb.name)")
            let shorts = verb.allOptions.compactMap(\.short)
            #expect(Set(shorts).count == shorts.count, "\(verb.name)")
            #expect(!verb.summary.isEmpty && verb.allOptions.allSatisfy { !$0.summary.isEmpty })
        }
    }

    package func overviewNamesEveryVerb() {
        let text = HelpText.overview(of: program)
        for verb in program.verbs { #expect(text.contains("  \(verb.name) ")) }
    }

    /// The overview is the one that was recorded.
    package func overviewIsAsItWas(of tests: StaticString = #filePath) throws {
        let text = HelpText.overview(of: program)
        try Snapshot.check(text, "help.txt", of: tests)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 })
    }

    /// A verb's page is the one that was recorded, in 80 columns.
    package func helpIsAsItWas(_ name: String, of tests: StaticString = #filePath) throws {
        let verb = try #require(program.verbs.first { $0.name == name })
        let page = HelpText.page(for: verb, of: program)
        let file = "help-\(name.split(separator: " ").joined(separator: "-")).txt"
        try Snapshot.check(page, file, of: tests)
        let wide = page.split(separator: "\n").filter { line in
            line.count > 80 && !line.hasPrefix("  \(program.name)") && !line.hasPrefix("  # ")
                && !line.hasPrefix("usage:")
        }
        #expect(wide == [])
    }

    /// Each example of each verb.
    package var examples: [String] {
        program.verbs.flatMap { verb in verb.examples.map { $0.line(of: program.name) } }
    }

    /// An example can be typed, where it begins with the program.
    package func isLegal(_ line: String) throws {
        var words: [String] = []
        var isQuoted = false
        var word = ""
        for character in line + " " {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        guard words.first == program.name else { return }  // a shell construct around it
        let end = words.firstIndex { $0 == "&" || $0 == "|" } ?? words.count
        let typed = Array(words[1..<end])
        let (command, count) = try program.find(typed)
        let arguments = try ArgumentScanner.scan(
            Array(typed.dropFirst(count)), for: command.verb, of: program.name)
        _ = try command.init(arguments: arguments)
    }

    /// Every verb has its part on one of the manual's pages, with all of its own options.
    package func manualHasEveryVerbAndOption() throws {
        let pages = program.pages.map { $0.text(of: program, date: .init(daysSince1970: 0)) }
        for verb in program.verbs {
            let parts = pages.compactMap { page -> String? in
                guard let start = page.range(of: ".Ss \"\(program.name) \(verb.name)\"\n") else {
                    return nil
                }
                let rest = page[start.upperBound...]
                let end = rest.range(of: "\n.S") ?? rest.endIndex..<rest.endIndex
                return String(rest[..<end.lowerBound])
            }
            try #require(parts.count == 1, "\(verb.name)")
            for option in verb.options {
                let name = option.name.split(separator: "-").joined(separator: "\\-")
                let isTold =
                    parts[0].contains("Fl \\-\(name)\n") || parts[0].contains("Fl \\-\(name) ")
                    || parts[0].contains("\\-\\-\(name)")
                #expect(isTold, "\(verb.name) --\(option.name)")
            }
        }
    }

    /// Every verb and option is offered to a shell.
    package func everythingIsOffered() {
        let completions = Completions(verbs: program.verbs)
        func words(_ typed: [String]) -> [String] {
            guard case .words(let offers) = completions.offers(for: typed) else { return [] }
            return offers.map(\.word)
        }
        for verb in program.verbs {
            #expect(words(verb.words).contains(verb.words.last ?? ""), "\(verb.name)")
            let offered = words(verb.words + ["-"])
            for option in verb.allOptions {
                #expect(offered.contains("--\(option.name)"), "\(verb.name) --\(option.name)")
            }
        }
    }
}
