import CloudCommandLine
import CloudModel
import CommandLine
import Configuration
import JSON

/// Looks at what is stored, by the server's own account of it.
struct DemoWitness: Sendable {
    private typealias Content = (place: String, lines: [DemoServer.Line])

    private let environment: Environment
    private let server: DemoServer

    init(_ environment: Environment, _ server: DemoServer) {
        self.environment = environment
        self.server = server
    }

    /// What the two people of the demonstration have, database by database.
    func look() async throws(CommandFailure) -> [DemoStorage] {
        let shared = try await dump("dump").filter { $0.place.hasSuffix("/public") }
        var all: [DemoStorage] = []
        for user in [DemoScript.subject, DemoScript.bystander] {
            all += try await privateStorage(of: user)
            all += try await publicStorage(of: user, in: shared)
        }
        return all
    }

    private func privateStorage(of user: String) async throws(CommandFailure) -> [DemoStorage] {
        try await dump("dump", "--user", user).map { place, lines in
            func count(_ key: String) -> Int { lines.count { $0.value[key] != nil } }
            let parts = place.split(separator: "/").map(String.init)
            return DemoStorage(
                user: user, container: parts.first ?? "", scope: parts.last ?? "",
                zones: count("zone"), records: count("record"),
                subscriptions: count("subscription"), content: lines.map(\.text))
        }
    }

    /// A public database belongs to all; a person's part is what the person wrote.
    private func publicStorage(
        of user: String, in databases: [Content]
    ) async throws(CommandFailure) -> [DemoStorage] {
        let names = try await recordNames(of: user)
        var found: [DemoStorage] = []
        for (place, lines) in databases {
            let container = place.split(separator: "/").first.map { String($0) } ?? ""
            guard let name = names[container] else { continue }
            let records = lines.filter {
                $0.value["record"]?["created"]?["userRecordName"]?.string == name
            }
            let subscriptions = lines.filter {
                $0.value["subscription"] != nil && $0.value["user"]?.string == name
            }
            found.append(
                DemoStorage(
                    user: user, container: container, scope: "public", records: records.count,
                    subscriptions: subscriptions.count,
                    content: (records + subscriptions).map(\.text)))
        }
        return found
    }

    /// A user's record name in each container, as the service tells the user.
    private func recordNames(of user: String) async throws(CommandFailure) -> [String: String] {
        var environment = environment
        environment.variables[DemoScript.webTokenVariable] = try server.webToken(of: user)
        var names: [String: String] = [:]
        do {
            let list = try ContainerListReader.read("containers.json", files: environment.files)
            let choice = try ServerChoice.choose(for: list, in: environment.source)
            let connection = try CloudConnection(
                list, at: choice, in: Console(Arguments(), in: environment),
                stateFolder: environment.stateFolder(nil, isRehearsal: true))
            defer { connection.close() }
            for entry in list.containers {
                let address = Database.Address(
                    container: entry.id, environment: list.environment, scope: .public)
                let database = ReadOnlyDatabase(connection.database(at: address))
                names[entry.id.rawValue] = try await database.caller().userRecordName
            }
        } catch {
            throw CommandFailure(
                .internalError, "cannot read the users of the mock server: \(error)")
        }
        return names
    }

    /// The lines of each database of a dump, by its address.
    private func dump(_ words: String...) async throws(CommandFailure) -> [Content] {
        var databases: [Content] = []
        for line in try await server.run(words) {
            if let database = line.value["database"]?.string {
                databases.append((database, []))
            } else if line.value["zone"]?.string != "_defaultZone", !databases.isEmpty {
                // Every database has that one.
                databases[databases.count - 1].lines.append(line)
            }
        }
        return databases
    }
}
