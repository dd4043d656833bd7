import CloudCommandLine
import CommandLine
import Configuration

/// Prints the configured containers, resolved. Contacts nobody.
struct ContainersListCommand: Command {
    static let verb = Verb(
        "containers list", "print the configured containers, resolved",
        discussion: [
            "Reads the lists strictly and sends no request. Secrets are not read; their sources "
                + "are shown."
        ],
        positionals: [
            Positional(.file, .any, "container lists (default: the only Containers/*.json)")
        ],
        options: CommonOptions.output,
        examples: [.init("cksweep containers list Containers/example.json", "one list")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        do throws(ConfigurationError) {
            var paths = arguments.positionals
            if paths.isEmpty {
                paths = [try ContainerListLocator.find(nil, files: environment.files)]
            }
            for path in paths {
                let list = try ContainerListReader.read(path, files: environment.files)
                let server = try ServerChoice.choose(for: list, in: environment.source)
                console.result(Self.text(list, server, console.style))
                for entry in list.containers {
                    console.event(Self.event(entry, of: list, server))
                }
            }
        } catch {
            throw CommandFailure(error)
        }
        return .done
    }

    private static func text(
        _ list: ContainerList, _ server: ServerChoice, _ style: Style
    ) -> String {
        var lines = [style.text(list.file, .strong)]
        var facts = TextTable(indent: 2)
        if let application = list.application {
            facts.add([.init("application", .faint), .init(application)])
        }
        facts.add([.init("environment", .faint), .init(list.environment.rawValue)])
        let from = server.isEmulator ? ", from \(ServerChoice.urlVariable)" : ""
        facts.add([.init("server", .faint), .init(server.facts.description + from)])
        if let other = server.standsInFor {
            facts.add([
                .init("replaces", .faint), .init("\(other); needs --rehearsal", .caution),
            ])
        }
        let scopes = list.databases.map { $0.rawValue }.joined(separator: ", ")
        facts.add([.init("databases", .faint), .init(scopes)])
        if let donations = list.donations {
            facts.add([.init("donations", .faint), .init(donations.store.description)])
        } else if list.application != nil {
            facts.add([
                .init("donations", .faint), .init("those in the state folder, if any"),
            ])
        }
        lines += facts.lines(style)
        for entry in list.containers {
            lines.append(
                "  \(style.text(entry.id.rawValue, .strong))"
                    + (entry.isDefault ? "  (default)" : ""))
            var table = TextTable(indent: 4)
            func add(_ name: String, _ values: [String]) {
                guard !values.isEmpty else { return }
                table.add([.init(name, .faint), .init(values.joined(separator: ", "))])
            }
            add("zones", entry.zones)
            add("record types", entry.knowsRecordTypes ? entry.recordTypes : ["unknown"])
            add("retired types", entry.retiredTypes)
            add("credentials", list.credentials(for: entry).map { [$0.summary] } ?? ["none"])
            lines += table.lines(style)
        }
        for rule in list.protect {
            let parts = [
                rule.container?.rawValue, rule.zone.map { "zone \($0)" },
                rule.recordType.map { "record type \($0)" },
            ]
            lines.append(
                "  protected: \(parts.compactMap { $0 }.joined(separator: ", ")) (\(rule.reason))")
        }
        for exclusion in list.notInScope {
            lines.append("  not in scope: \(exclusion.id) (\(exclusion.reason))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func event(
        _ entry: ContainerList.Entry, of list: ContainerList, _ server: ServerChoice
    ) -> Event {
        Event(
            "container",
            [
                .init("file", list.file), .init("identifier", entry.id.rawValue),
                .init("environment", list.environment.rawValue), .init("server", server.url),
                .init("default", entry.isDefault),
                .init("zones", .list(entry.zones.map { .text($0) })),
                .init(
                    "recordTypes",
                    entry.knowsRecordTypes
                        ? .list(entry.recordTypes.map { .text($0) }) : .null),
                .init("retiredTypes", .list(entry.retiredTypes.map { .text($0) })),
                .init("rehearsal", server.facts.isRehearsal),
                .init("credentials", list.credentials(for: entry)?.summary),
            ])
    }
}
