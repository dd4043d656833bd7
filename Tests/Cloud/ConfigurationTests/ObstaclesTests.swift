import Configuration
import FileSystem
import Testing

/// What stands in the way of exit 0, as one function decides it.
struct ObstaclesTests {
    private static let list = """
        { "version": 1, "environment": "development",
          "server": { "url": "https://localhost:1", "ca": "env:CA" },
          "containers": [
            { "identifier": "iCloud.com.example.a", "recordTypes": [] },
            { "identifier": "iCloud.com.example.b",
              "credentials": { "apiToken": "file:b.token", "webAuthToken": "login" } },
            { "identifier": "iCloud.com.example.c", "recordTypes": ["Note"],
              "credentials": { "apiToken": "env:C" } },
            { "identifier": "iCloud.com.example.d", "recordTypes": [],
              "credentials": { "keyID": "env:KEY", "privateKey": "file:key.pem" } } ],
          "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
        """

    private func obstacles(
        _ folder: TestFolder, _ text: String = list, _ variables: [String: String] = [:]
    ) throws -> Obstacles {
        try folder.put(text, at: "list.json")
        let list = try ContainerListReader.read("list.json", files: folder.files)
        return Obstacles(list, in: folder.source(variables: variables)) { _ in
            SignInFolder(stateFolder: "\(folder.path)/state")
        }
    }

    @Test func `everything that is missing is told at once, each thing once and with its line`()
        throws
    {
        let folder = try TestFolder()
        try folder.put("", at: "ca.pem")
        let found = try obstacles(folder, Self.list, ["CA": "ca.pem", "API_": "other", "C": "t"])
        #expect(
            found.all.map(\.error.description) == [
                "list.json:11:32: \"apiToken\" needs the variable API, which is not set",
                "list.json:11:59: \"webAuthToken\" needs the variable WEB, which is not set",
                "list.json:5:21: the record types of iCloud.com.example.b are unknown: add "
                    + "\"schema\" or \"recordTypes\"",
                "list.json:6:36: \"apiToken\" needs the file b.token, which does not exist",
                "list.json:6:68: no user is signed in to iCloud.com.example.b: run \"cksweep "
                    + "login\"",
                "list.json:7:21: no \"webAuthToken\" for iCloud.com.example.c: no user is "
                    + "signed in",
                "list.json:10:33: \"keyID\" needs the variable KEY, which is not set",
                "list.json:10:58: \"privateKey\" needs the file key.pem, which does not exist",
                "list.json:10:33: a server-to-server key reaches only public records, of the user "
                    + "of --public-user; for everything else add \"apiToken\" and \"webAuthToken\"",
            ])
        #expect(found.askable.isEmpty && found.server?.url == "https://localhost:1")
    }

    @Test func `without the server's authority the rest is told as well`() throws {
        let folder = try TestFolder()
        let found = try obstacles(folder)
        #expect(found.server == nil && found.askable.isEmpty)
        #expect(
            found.all.first?.error.description
                == "list.json:2:51: \"ca\" needs the variable CA, which is not set")
        // Where nobody knows the server, nobody knows who is signed in there.
        #expect(found.all.count == 10 && found.all.allSatisfy { $0.kind != .signIn })
    }

    @Test func `nothing stands in the way where everything is there`() throws {
        let folder = try TestFolder()
        let text = """
            { "version": 1, "environment": "development",
              "containers": [ { "identifier": "iCloud.com.example.a", "recordTypes": [] } ],
              "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
            """
        let found = try obstacles(folder, text, ["API": "a", "WEB": "w"])
        #expect(found.all.isEmpty && found.askable.map(\.rawValue) == ["iCloud.com.example.a"])
        // At a mock server only the environment's tokens count.
        let emulator = ["API": "a", "WEB": "w", "CLOUDKIT_EMULATOR_URL": "https://localhost:2"]
        let there = try obstacles(folder, text, emulator)
        #expect(there.all.count == 1 && there.askable.isEmpty)
        #expect(there.all[0].error.description.hasPrefix("CLOUDKIT_EMULATOR_API_TOKEN: is not set"))
        let person = try obstacles(
            folder, text, emulator.merging(["CLOUDKIT_EMULATOR_API_TOKEN": "t"]) { $1 })
        #expect(
            person.all.map(\.error.description) == [
                "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN: is not set: no user is signed in"
            ])
    }
}
