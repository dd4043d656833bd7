import Configuration
import Testing

struct SecretTests {
    private func list(
        _ world: TestFolder, api: String, web: String = "env:WEB", server: String = ""
    ) throws -> ContainerList {
        let text = """
            { "version": 1, "environment": "development", \(server)
              "containers": [ { "identifier": "iCloud.com.example.app" } ],
              "credentials": {
                "apiToken": "\(api)",
                "webAuthToken": "\(web)" } }
            """
        try world.put(text, at: "list.json")
        return try ContainerListReader.read("list.json", files: world.files)
    }

    private func read(
        _ list: ContainerList, _ environment: ConfigurationSource
    ) throws(ConfigurationError) -> AccessSecrets {
        let server = try ServerChoice.choose(for: list, in: environment)
        return try SecretReader(list, in: environment).secrets(
            for: list.containers[0], at: server)
    }

    @Test func `secrets come from variables and from files of our own`() throws {
        let world = try TestFolder()
        try world.put("  file-token\n", at: "token", mode: 0o600)
        let list = try list(world, api: "env:API", web: "file:token")
        let environment = world.source(variables: ["API": "variable-token"])
        #expect(
            try read(list, environment)
                == .tokens(
                    api: "variable-token", web: .file("file-token", path: "\(world.path)/token")))
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660])
    func `a file that others may read is refused`(mode: Int) throws {
        let world = try TestFolder()
        try world.put("token", at: "token", mode: mode)
        let list = try list(world, api: "file:token")
        let error = #expect(throws: ConfigurationError.self) {
            try read(list, world.source(variables: ["WEB": "w"]))
        }
        #expect(
            error?.description
                == "list.json:4:17: other users can read token; run \"chmod 600 token\"")
    }

    @Test(arguments: [
        (
            "env:APY", "env:WEB",
            "list.json:4:17: \"apiToken\" needs the variable APY, which is not set"
        ),
        (
            "file:nowhere", "env:WEB",
            "list.json:4:17: \"apiToken\" needs the file nowhere, which does not exist"
        ),
        (
            "env:API", "login",
            "list.json:5:21: \"webAuthToken\": \"login\" is only valid for the command cksweep; "
                + "use env:NAME or file:PATH"
        ),
        (
            "login", "env:WEB",
            "list.json:4:17: \"apiToken\" cannot be \"login\", which is only valid for \"webAuthToken\"; use "
                + "env:NAME or file:PATH"
        ),
        (
            "env:ODD", "env:WEB",
            "list.json:4:17: \"apiToken\" (env:ODD) is empty or contains invalid characters"
        ),
    ])
    func `a secret that cannot be had is named, never shown`(
        api: String, web: String, message: String
    ) throws {
        let world = try TestFolder()
        let list = try list(world, api: api, web: web)
        let variables = ["API": "secret-a", "WEB": "secret-w", "ODD": "two words"]
        let error = #expect(throws: ConfigurationError.self) {
            try read(list, world.source(variables: variables))
        }
        #expect(error?.description == message)
    }

    @Test func `the emulator's variables win, and real secrets stay at home`() throws {
        let world = try TestFolder()
        try world.put("", at: "ca.pem")
        let list = try list(world, api: "env:API")
        let environment = world.source(variables: [
            "API": "real", "WEB": "real", "CLOUDKIT_EMULATOR_URL": "https://localhost:1/",
            "CLOUDKIT_EMULATOR_CA": "ca.pem", "CLOUDKIT_EMULATOR_API_TOKEN": "mock",
            "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN": "mock-web",
        ])
        let server = try ServerChoice.choose(for: list, in: environment)
        #expect(server.isEmulator && server.url == "https://localhost:1")
        #expect(server.authorityFile == "\(world.path)/ca.pem")
        #expect(try read(list, environment) == .tokens(api: "mock", web: .given("mock-web")))
    }

    @Test func `an emulator without tokens of its own gets none of ours`() throws {
        let world = try TestFolder()
        let list = try list(world, api: "env:API")
        let environment = world.source(variables: [
            "API": "real", "WEB": "real", "CLOUDKIT_EMULATOR_URL": "https://localhost:1",
        ])
        let error = #expect(throws: ConfigurationError.self) { try read(list, environment) }
        #expect(error?.file == "CLOUDKIT_EMULATOR_API_TOKEN")
    }

    @Test func `without a server the service is Apple's`() throws {
        let world = try TestFolder()
        let list = try list(world, api: "env:API")
        let server = try ServerChoice.choose(for: list, in: world.source())
        #expect(server.url == "https://api.apple-cloudkit.com" && server.authorityFile == nil)
    }

    @Test func `a server's variables are resolved, and missed where they stand`() throws {
        let world = try TestFolder()
        try world.put("", at: "ca.pem")
        let list = try list(
            world, api: "env:API",
            server: "\"server\": { \"url\": \"env:URL\", \"ca\": \"env:CA\" },")
        let good = world.source(variables: ["URL": "https://h:1//", "CA": "ca.pem"])
        let server = try ServerChoice.choose(for: list, in: good)
        #expect(server == ServerChoice(url: "https://h:1", authorityFile: "\(world.path)/ca.pem"))
        let missing = #expect(throws: ConfigurationError.self) {
            try ServerChoice.choose(
                for: list, in: world.source(variables: ["URL": "https://h:1"]))
        }
        #expect(
            missing?.description
                == "list.json:1:83: \"ca\" needs the variable CA, which is not set")
        let plain = #expect(throws: ConfigurationError.self) {
            try ServerChoice.choose(
                for: list, in: world.source(variables: ["URL": "http://h", "CA": "ca.pem"]))
        }
        #expect(plain?.reason == "the server's address must begin with \"https://\"")
    }
}
