/// Help, made from the table.
package enum HelpText {
    /// The verb that shows help.
    package static let verbName = "help"
    private static let widthMax = 80

    /// What the program does, and what of it deletes.
    static let introduction = [
        "cksweep deletes everything an app stores about one user in CloudKit, in every "
            + "container of that app, and verifies that it was deleted.",
        "Only apply, sweep and resume delete anything in CloudKit, and only after a plan was "
            + "approved. donations delete, donations expire and sync delete local donations. mock "
            + "reset deletes the mock server's own data. forget and runs --prune delete data about "
            + "earlier runs from the state folder.",
    ]

    /// `cksweep help`: every verb in its group.
    package static func overview(verbs: [Verb]) -> String {
        var lines = wrap(introduction[0], width: widthMax)
        lines += ["", "usage: cksweep VERB [OPTIONS]"]
        for group in [firstSteps] + groups {
            lines += ["", "\(group.title):"]
            let members = group.names.compactMap { name in verbs.first { $0.name == name } }
            lines += columns(members.map { ($0.name, capitalised($0.summary)) }, indent: 2)
        }
        lines += [
            "",
            "\"cksweep help VERB\" describes a verb; \"cksweep --version\" prints the version.",
            "",
        ]
        lines += wrap(introduction[1], width: widthMax)
        lines += ["", "environment:"]
        lines += columns(variables, indent: 2)
        lines += ["", "exit codes:"]
        lines += columns(exitCodes.map { ("\($0.0)", $0.1) }, indent: 2)
        return lines.joined(separator: "\n") + "\n"
    }

    /// `cksweep help mock`: the verbs that begin with a word, a line each.
    package static func index(of word: String, verbs: [Verb]) -> String {
        let members = verbs.filter { $0.words[0] == word }
        // In the order of the overview.
        let order = groups.flatMap(\.names)
        let sorted = members.sorted {
            (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0)
        }
        var lines = ["usage: cksweep \(word) VERB [OPTIONS]", ""]
        lines += columns(sorted.map { ($0.name, capitalised($0.summary)) }, indent: 2)
        lines += ["", "\"cksweep help \(word) VERB\" describes a verb."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// `cksweep help VERB`
    package static func page(for verb: Verb) -> String {
        var lines = [usage(of: verb), "", capitalised(verb.summary) + "."]
        for paragraph in verb.discussion {
            lines.append("")
            lines += wrap(paragraph, width: widthMax)
        }
        let places = verb.positionals
        if !places.isEmpty {
            lines += ["", "arguments:"]
            lines += columns(places.map { ($0.value.name, $0.summary) }, indent: 2)
        }
        lines += ["", "options:"]
        lines += columns(verb.allOptions.map { (spelling(of: $0), $0.summary) }, indent: 2)
        for section in verb.sections {
            lines += ["", "\(section.title):"]
            lines += columns(section.rows.map { ($0.name, $0.about) }, indent: 2)
        }
        if !verb.examples.isEmpty {
            lines += ["", "examples:"]
            for example in verb.examples {
                lines += ["  # \(example.purpose)"] + command(example.line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A command line; where it is too wide, before an option, it is continued as a shell reads it.
    private static func command(_ line: String) -> [String] {
        guard line.count > widthMax - 2 else { return ["  " + line] }
        // An option stays with what it takes.
        var pieces: [String] = []
        for word in line.split(separator: " ").map({ String($0) }) {
            if pieces.isEmpty || word.hasPrefix("-") {
                pieces.append(word)
            } else {
                pieces[pieces.count - 1] += " " + word
            }
        }
        var lines = ["  " + (pieces.first ?? "")]
        for piece in pieces.dropFirst() {
            if lines[lines.count - 1].count + 1 + piece.count + 2 <= widthMax {
                lines[lines.count - 1] += " " + piece
            } else {
                lines[lines.count - 1] += " \\"
                lines.append("      " + piece)
            }
        }
        return lines
    }

    /// `usage: cksweep show PLAN [OPTIONS]`
    package static func usage(of verb: Verb, prefix: String = "usage: ") -> String {
        let places = verb.positionals.map { $0.usage }
        let command = verb.positionals.contains { $0.arity.isCommand }
        let parts = command ? ["[OPTIONS]"] + places : places + ["[OPTIONS]"]
        return "\(prefix)cksweep \(verb.name) " + parts.joined(separator: " ")
    }

    private static func spelling(of option: Option) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.value.map { " \($0.name)" } ?? ""
        return "\(short)--\(option.name)\(value)"
    }

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Two columns; the second is wrapped, and starts on its own line under a wide first.
    private static func columns(_ rows: [(String, String)], indent: Int) -> [String] {
        let widest = rows.map { $0.0.count }.filter { $0 <= 26 }.max() ?? 0
        let margin = String(repeating: " ", count: indent)
        let hanging = String(repeating: " ", count: indent + widest + 2)
        var lines: [String] = []
        for (left, right) in rows {
            let wrapped = wrap(right, width: widthMax - hanging.count)
            if left.count > widest {
                lines.append(margin + left)
                lines += wrapped.map { hanging + $0 }
            } else {
                let gap = String(repeating: " ", count: widest + 2 - left.count)
                lines.append(margin + left + gap + (wrapped.first ?? ""))
                lines += wrapped.dropFirst().map { hanging + $0 }
            }
        }
        return lines
    }

    /// Breaks a paragraph at spaces; a word longer than `width` stands alone.
    package static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// Verbs that belong together.
    struct Group {
        let title: String
        let names: [String]
    }
    /// What a first-time user needs, in the order of use.
    static let firstSteps = Group(
        title: "first steps",
        names: ["demo", "containers init", "plan", "apply", "mock exec"])
    static let groups = [
        Group(
            title: "containers",
            names: [
                "containers list", "containers check", "containers init", "login", "logout",
                "doctor",
            ]),
        Group(
            title: "delete a user's data",
            names: [
                "plan", "plan sign", "plan approvals", "show", "apply", "sweep", "verify",
                "resume", "watch", "restrict", "unrestrict", "runs", "status", "report",
                "export", "forget",
            ]),
        Group(
            title: "donations to Siri and Spotlight on this machine",
            names: [
                "donations donate", "donations list", "donations delete", "donations preview",
                "donations remaining", "donations suggestions", "donations search",
                "donations expire", "donations export", "donations audit", "donations restrict",
                "donations unrestrict",
            ]),
        Group(
            title: "synchronize donations with the cloud",
            names: [
                "sync", "sync status", "sync fences", "sync unfence", "sync sign-out",
                "sync enable", "sync disable",
            ]),
        Group(
            title: "evidence",
            names: [
                "attest", "attest match", "attest ledger", "whois", "evidence init",
                "evidence key", "evidence rotate", "evidence stamp", "evidence prove",
            ]),
        Group(
            title: "rehearse and test with the mock server",
            names: [
                "demo", "mock start", "mock exec", "mock record", "mock replay", "mock compare",
                "mock apple", "mock seed", "mock act",
                "mock key", "mock schema", "mock reset", "mock export", "mock import",
                "mock faults", "mock journal", "mock explain", "mock findings",
                "mock pushes", "mock clock", "mock tick",
                "mock snapshot", "mock tokens",
                "mock env", "mock status", "mock health", "mock trust", "mock untrust",
                "mock fidelity",
            ]),
        Group(title: "help", names: ["completions", "help"]),
    ]

    static let variables = [
        (
            "CLOUDKIT_EMULATOR_URL",
            "a mock server; \"mock exec\" sets it. A list for another server is then refused "
                + "unless --rehearsal is given. The list's own credentials are not sent there, only "
                + "the tokens below"
        ),
        ("CLOUDKIT_EMULATOR_CA", "PEM file of the server's certificate authority"),
        (
            "CLOUDKIT_EMULATOR_ADMIN_TOKEN",
            "token for the server's administration API, which \"mock\" verbs send"
        ),
        ("CLOUDKIT_EMULATOR_API_TOKEN", "API token for the server"),
        (
            "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN",
            "web auth token for the server; it identifies the user"
        ),
        ("XDG_STATE_HOME", "runs are stored in cksweep below it (default: ~/.local/state)"),
        ("NO_COLOR", "no colors, unless --color always is given"),
    ]

    static let exitCodes: [(Int, String)] = [
        (0, "done and verified empty (verify: empty; plan: a plan was made)"),
        (1, "internal error"),
        (2, "usage or configuration error; nothing was deleted"),
        (3, "refused by a safeguard; this command deleted nothing"),
        (4, "something in scope could not be listed; this command deleted nothing"),
        (5, "some deletions failed, or were allowed to be partial"),
        (6, "deletions were accepted, but verification still finds data"),
        (7, "not signed in, token invalid, container forbidden"),
        (8, "--max-duration reached; \"resume\" continues"),
        (9, "another run holds the lock"),
        (10, "where asked for: something to delete, a request due, or a difference"),
        (11, "evidence invalid"),
        (12, "done, but a follow-up action failed: a restriction, a hook, an addendum"),
        (130, "interrupted (143: terminated); the journal is safe"),
    ]
}
