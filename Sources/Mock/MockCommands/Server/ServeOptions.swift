import CloudCommandLine
import CloudModel
import CommandLine
import Configuration
import FileSystem
import MockAdmin
import MockFaults
import MockHost
import MockService
import MockStore

/// Options of the verbs that start a mock server.
enum ServeOptions {
    static let port = Option(
        "port", value: .number(0...65_535), "port to listen on (default 0: any free port)")
    static let name = Option(
        "name", value: .text("HOST"), repeats: true,
        "name or address for the certificate (default localhost, 127.0.0.1, ::1)")
    static let cert = Option("cert", value: .file, "your own certificate chain, PEM")
    static let key = Option("key", value: .file, "key for --cert, PEM")
    static let store = Option(
        "store", value: .text("memory|DIR"),
        "where to store data: memory, or a folder that survives crashes (default memory)")
    static let fixture = Option(
        "seed", value: .known("FILE", .fixture), repeats: true,
        "load a fixture at start; a store in a folder loads it only once")
    static let restoredFile = Option(
        "restore", value: .file,
        "start with FILE, written by \"cloudkit-mock snapshot save\" (store in memory only)")
    static let savedFile = Option(
        "save-on-exit", value: .file,
        "save everything to FILE when the server ends, as \"cloudkit-mock snapshot save\" does")
    static let container = Option(
        "container", value: .container, repeats: true,
        "serve this container in addition to those of seeds and lists")
    static let list = Option(
        "config", short: "c", value: .file, repeats: true,
        "serve the containers of this list (default without any: the only file in Containers/)")
    static let anyContainer = Option(
        "any-container", "serve every requested container, declared or not")
    static let autoNamespaces = Option(
        "auto-namespaces",
        "create namespaces, always in memory, on first use by host name or header")
    static let apiToken = Option(
        "api-token", value: .text("TOKEN"), repeats: true,
        "add an API token of your choice, in any form")
    static let webToken = Option(
        "web-token", value: .text("NAME=TOKEN"), repeats: true,
        "add a web auth token of your choice for a user")
    static let serverKey = Option(
        "server-key", value: .text("ID=FILE"), repeats: true,
        "add a server-to-server key: its ID and its public half, PEM")
    static let option = Option(
        "option", value: .text("NAME=VALUE"), repeats: true, "set a setting from the list below")
    static let defaultZone = Option(
        "default-zone", value: .choice(["refuse", "purge", "ignore"]),
        "what deleting a default zone does (default refuse)")
    static let strictTokens = Option(
        "strict-tokens", "accept each web auth token for one request only")
    static let upkeep = Option(
        "async", value: .choice(["auto", "manual"]),
        "when to run pending work: at once, or when \"cloudkit-mock simulate\" asks for it (default auto)"
    )
    static let check = Option(
        "check", "watch what clients send, and list their errors in \"cloudkit-mock log findings\"")
    static let user = Option(
        "user", value: .known("NAME", .user), repeats: true,
        "create this user (default ann, bob)")
    static let fault = Option(
        "fault", value: .text("RULE"), repeats: true,
        "add a fault at start, such as \"2nd zones/modify -> THROTTLED retry 1s\"")
    static let faultFile = Option(
        "faults", value: .file, takesMany: true,
        "set the faults of this file, one per line, or of a folder's *.faults")
    static let randomSeed = Option(
        "random-seed", value: .number(0...Int.max),
        "the same seed and requests give the same tokens and faults"
    )
    static let schema = Option(
        "schema", value: .text("CONTAINER=FILE"), repeats: true,
        "load the schema of a container from a .ckdb file")
    static let schemaStrict = Option(
        "schema-strict", "refuse record types, fields and queries that production would refuse")
    static let memoryBudget = Option(
        "memory-budget", value: .size(MockServerConfiguration.memoryBytesRange),
        "memory limit for the requests and responses of all clients (default 256MiB)")

    static let all = [
        port, name, cert, key, store, restoredFile, savedFile, fixture, list, container,
        anyContainer, user, apiToken, webToken, serverKey, defaultZone, strictTokens, fault,
        faultFile, schema, schemaStrict, randomSeed, memoryBudget, upkeep, autoNamespaces, check,
        option,
    ]

    /// The switches, for the help of the verbs that take ``option``.
    static var switches: Verb.Section {
        Verb.Section(
            "settings for --option",
            ServerOption.table.map {
                ("\($0.name)=\($0.values)", "\($0.about) (default \($0.standard))")
            })
    }

    /// The configuration that the options ask for.
    static func configuration(
        _ arguments: Arguments, in environment: Environment
    ) throws(CommandFailure) -> MockServerConfiguration {
        let files = environment.files
        var configuration = MockServerConfiguration(
            stateFolder: environment.stateFolder(arguments.text(AdminClient.state)))
        if let port = arguments.number(port) { configuration.port = UInt16(clamping: port) }
        let names = arguments.texts(name)
        if !names.isEmpty { configuration.names = names }
        try addCredentials(to: &configuration, arguments, files)
        try addStorage(to: &configuration, arguments, files)
        configuration.fixtures = arguments.texts(fixture).map { files.absolute($0) }
        let users = arguments.texts(user)
        if !users.isEmpty { configuration.users = users }
        if let seed = arguments.number(randomSeed) {
            configuration.seed = UInt64(seed)
        } else if configuration.storage == .memory {
            // It can be said, and given again; a store in a folder keeps its own.
            configuration.seed = environment.freshSeed() >> 11
        }
        if let bytes = arguments.size(memoryBudget) { configuration.memoryBytesMax = bytes }
        try addSettings(to: &configuration, arguments)
        configuration.makesNamespaces = arguments.has(autoNamespaces)
        // The last one counts.
        let isOpen =
            arguments.texts(option).last { $0.hasPrefix("autoCreateContainers=") }
            == "autoCreateContainers=true"
        if !arguments.has(anyContainer), !isOpen {
            configuration.containers = try containers(arguments, in: environment)
        }
        configuration.schemas = try schemas(arguments, files)
        let faultFiles =
            arguments.has(ExecCommand.matrix)
            ? [] : try FaultFile.read(arguments.texts(faultFile), files)
        configuration.faults = try FaultFile.rules(
            of: faultFiles, beside: faults(arguments.texts(fault)))
        return configuration
    }

    private static func addCredentials(
        to configuration: inout MockServerConfiguration, _ arguments: Arguments, _ files: Files
    ) throws(CommandFailure) {
        switch (arguments.text(cert), arguments.text(key)) {
        case (nil, nil): break
        case (let cert?, let key?):
            configuration.ownCertificate = .init(
                certificateFile: files.absolute(cert), keyFile: files.absolute(key))
        default: throw CommandFailure(.usage, "--cert and --key belong together")
        }
        configuration.apiTokens = arguments.texts(apiToken)
        configuration.webTokens = try pairs(webToken, arguments).map { .init(user: $0, token: $1) }
        configuration.serverKeys = try pairs(serverKey, arguments).map {
            .init(id: $0, file: files.absolute($1))
        }
    }

    private static func addStorage(
        to configuration: inout MockServerConfiguration, _ arguments: Arguments, _ files: Files
    ) throws(CommandFailure) {
        if let store = arguments.text(store), store != "memory" {
            configuration.storage = .directory(files.absolute(store))
        }
        configuration.savedFile = arguments.text(savedFile).map { files.absolute($0) }
        guard let file = arguments.text(restoredFile) else { return }
        guard configuration.storage == .memory else {
            throw CommandFailure(
                .usage,
                "--restore needs a store in memory; a store in a folder keeps its own data",
                remedy:
                    "start the server without it, then run \"cloudkit-mock snapshot restore --from FILE\""
            )
        }
        configuration.restoredFile = files.absolute(file)
        // Those of the file, and the named ones in addition.
        configuration.users = []
    }

    private static func addSettings(
        to configuration: inout MockServerConfiguration, _ arguments: Arguments
    ) throws(CommandFailure) {
        do throws(MockError) {
            for assignment in arguments.texts(option) { try configuration.set(assignment) }
            if let mode = arguments.text(defaultZone) {
                try configuration.set("defaultZoneMode=\(mode)")
            }
            if arguments.has(schemaStrict) { try configuration.set("strictSchema=true") }
            if let mode = arguments.text(upkeep) { try configuration.set("async=\(mode)") }
        } catch {
            throw CommandFailure(.usage, "--option: \(error.reason)")
        }
        if arguments.has(check) { configuration.checksClients = true }
        if arguments.has(strictTokens) { configuration.singleUseTokens = true }
    }

    /// `CONTAINER=FILE`, each with the schema that the file has.
    static func schemas(
        _ arguments: Arguments, _ files: Files
    ) throws(CommandFailure) -> [(container: Container.ID, schema: Schema)] {
        var schemas: [(container: Container.ID, schema: Schema)] = []
        for (name, file) in try pairs(schema, arguments) {
            guard let container = Container.ID(name) else {
                throw CommandFailure(
                    .usage,
                    "--schema: the container \"\(name)\" "
                        + (Container.ID.problem(in: name) ?? "is malformed"))
            }
            schemas.append((container, try SchemaFile.read(file, files)))
        }
        return schemas
    }

    /// The containers that the options declare.
    private static func containers(
        _ arguments: Arguments, in environment: Environment
    ) throws(CommandFailure) -> [Container.ID] {
        var lists = arguments.texts(list)
        do throws(ConfigurationError) {
            if !arguments.has(list), !arguments.has(container) {
                let found = try ContainerListLocator.all(environment.files)
                if found.count == 1 { lists = found }
            }
            var containers = arguments.texts(container).compactMap { Container.ID($0) }
            for path in lists {
                let read = try ContainerListReader.read(path, files: environment.files)
                containers += read.containers.map(\.id)
            }
            return containers
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Says so where every request would be refused.
    static func tellOfNoContainers(
        _ configuration: MockServerConfiguration, _ console: Console
    ) {
        guard configuration.containers == [], configuration.fixtures.isEmpty,
            configuration.schemas.isEmpty, configuration.storage == .memory,
            configuration.restoredFile == nil
        else { return }
        console.note(
            "No container is declared yet: load a seed, name one with --container or a list "
                + "with -c, or serve all with --any-container.")
    }

    /// The two halves of each value of an option, around its first equals sign.
    private static func pairs(
        _ option: Option, _ arguments: Arguments
    ) throws(CommandFailure) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for text in arguments.texts(option) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw CommandFailure(
                    .usage,
                    "--\(option.name) is \"\(text)\"; expected the form "
                        + "\(option.value?.name ?? "")")
            }
            pairs.append((parts[0], parts[1]))
        }
        return pairs
    }

    /// Fault rules in their text form.
    static func faults(_ texts: [String]) throws(CommandFailure) -> [FaultRule] {
        var rules: [FaultRule] = []
        for (index, text) in texts.enumerated() {
            do throws(FaultError) {
                rules.append(try FaultRule(id: "option-\(index + 1)", text: text))
            } catch {
                throw CommandFailure(.usage, "the fault \"\(text)\" is refused: \(error)")
            }
        }
        return rules
    }
}
