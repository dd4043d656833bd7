import CloudModel
import CommandLine
import Configuration
import JSON

/// Looks at what is stored, by the server's own account of it.
struct DemoWitness: Sendable {
    private typealias Line = (text: String, value: JSONValue)

    private let admin: MockAdmin
    private let environment: Environment
    private let server: RunningMockServer

    init(_ admin: MockAdmin, _ environment: Environment, _ server: RunningMockServer) {
        self.admin = admin
        self.environment = environment
        self.server = server
    }

    /// What the two people of the demonstration have, database by database.
    func look() async throws(CommandFailure) -> [DemoStorage] {
        let shared = try await dump("dump")
        var all: [DemoStorage] = []
        for user in [DemoScript.subject, DemoScript.bystander] {
            all += try await privateStorage(of: user)
            all += try await publicStorage(of: user, in: shared)
        }
        return all
    }

    private func privateStorage(of user: String) async throws(CommandFailure) -> [DemoStorage] {
        let query = "?user=\(MockAdmin.escaped(user))"
        let summary = try await admin.ask(.get, "summary\(query)")
        let content = try await dump("dump\(query)")
        let databases = summary["databases"].map { Array($0.elements) } ?? []
        return databases.map { database in
            func count(_ key: String) -> Int { Int(database[key]?.int64 ?? 0) }
            let place = ["container", "environment", "database"].map { database[$0]?.string ?? "" }
            return DemoStorage(
                user: user, container: place[0], scope: place[2], zones: count("zones"),
                records: count("records"), subscriptions: count("subscriptions"),
                content: (content[place.joined(separator: "/")] ?? []).map(\.text))
        }
    }

    /// A public database belongs to all; a person's part is what the person wrote.
    private func publicStorage(
        of user: String, in databases: [String: [Line]]
    ) async throws(CommandFailure) -> [DemoStorage] {
        let names = try await recordNames(of: user)
        var found: [DemoStorage] = []
        for (place, lines) in databases.sorted(by: { $0.key < $1.key }) {
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
        environment.variables[DemoScript.webTokenVariable] = server.ready.webTokens[user]
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
    private func dump(_ path: String) async throws(CommandFailure) -> [String: [Line]] {
        var databases: [String: [Line]] = [:]
        var place = ""
        for line in try await admin.lines(path) {
            if let database = line.value["database"]?.string {
                place = database
                databases[place] = []
            } else if line.value["zone"]?.string != "_defaultZone" {  // every database has it
                databases[place, default: []].append(line)
            }
        }
        return databases
    }
}
