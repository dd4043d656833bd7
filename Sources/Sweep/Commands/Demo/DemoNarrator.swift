import CommandLine

/// Tells what the demonstration does, step by step.
struct DemoNarrator: Sendable {
    private let console: Console
    init(_ console: Console) { self.console = console }

    /// A heading, and what the step shows.
    func step(_ number: Int, _ title: String, _ words: String) {
        let line = "── \(number)  \(title) "
        let rule = String(repeating: "─", count: max(0, 78 - line.count))
        console.result("\n" + console.style.text(line + rule, .strong))
        tell(words)
        console.result("")
        console.event(Event("demo_step", [.init("number", number), .init("title", title)]))
    }

    /// A command line that is carried out now, as one would type it.
    func command(_ words: [String]) {
        let line = words.map { ShellWord.quoted($0) }.joined(separator: " ")
        console.result(console.style.text("$ \(line)", .caution))
    }

    func say(_ text: String) { console.result(text) }

    /// Some words, in lines of a readable length.
    func tell(_ words: String) {
        for line in HelpText.wrap(words, width: 78) { console.result(line) }
    }

    /// Commands to go on with, and what each is for.
    ///
    /// - Parameter path: What a shell needs to find them.
    func next(_ steps: [(command: String, purpose: String)], after path: String?) {
        console.result("\nNext steps:")
        if let path { console.result("  " + console.style.text(path, .caution)) }
        var table = TextTable(indent: 2)
        for step in steps {
            // As a comment, so that a line can be pasted whole.
            table.add([.init(step.command, .caution), .init("# " + step.purpose)])
        }
        for line in table.lines(console.style) { console.result(line) }
    }

    /// What each user has on the server, as its administration tells.
    func storage(_ stored: [DemoStorage]) {
        var table = TextTable(indent: 2)
        table.add(
            [TextTable.Cell("user", .faint), .init("container", .faint)]
                + ["zones", "records", "subscriptions"].map {
                    TextTable.Cell($0, .faint, alignsRight: true)
                })
        for entry in stored {
            let place =
                entry.scope == "private"
                ? entry.container : "\(entry.container) (\(entry.scope))"
            table.add([
                .init(entry.user), .init(place), .number(entry.zones), .number(entry.records),
                .number(entry.subscriptions),
            ])
            console.event(
                Event(
                    "stored",
                    [
                        .init("user", entry.user), .init("container", entry.container),
                        .init("database", entry.scope), .init("zones", entry.zones),
                        .init("records", entry.records),
                        .init("subscriptions", entry.subscriptions),
                    ]))
        }
        for line in table.lines(console.style) { console.result(line) }
    }
}
