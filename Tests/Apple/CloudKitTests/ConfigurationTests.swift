import CloudKit
import Foundation
import Testing

/// Where a process finds its containers.
struct ConfigurationTests {
    private func list(_ text: String) throws -> String {
        let path = NSTemporaryDirectory() + "cksweep-list-\(UUID().uuidString).json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static let two = """
        {"version": 1, "environment": "production",
         "server": {"url": "https://example.com", "ca": "env:MY_CA"},
         "credentials": {"apiToken": "env:MY_API", "webAuthToken": "env:MY_WEB"},
         "containers": [{"identifier": "iCloud.com.example.a"},
                        {"identifier": "iCloud.com.example.b", "default": true}]}
        """

    @Test func `a container list says server, default and credentials`() throws {
        let path = try list(Self.two)
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Any file will do: it is not read before the first request.
        let variables = ["MY_CA": path, "MY_API": "api", "MY_WEB": "web"]
        let read = try CloudKitConfiguration(containerListFile: path, variables: variables)
        #expect(read.defaultContainerIdentifier == "iCloud.com.example.b")
        #expect(read.environment == .production)
        #expect(
            read.server
                == .init(
                    url: "https://example.com", certificateAuthorityFile: path))
        #expect(read.credentials["iCloud.com.example.a"] == .tokens(api: "api", webAuth: "web"))
        #expect(read.credentials["iCloud.com.example.b"] == .tokens(api: "api", webAuth: "web"))
    }

    @Test func `a mock server in the environment never gets the list's credentials`() throws {
        let path = try list(Self.two)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let read = try CloudKitConfiguration(environment: [
            "CLOUDKIT_CONTAINERS": path, "CLOUDKIT_EMULATOR_URL": "https://localhost:1",
            "CLOUDKIT_EMULATOR_API_TOKEN": "mock", "MY_API": "real", "MY_WEB": "real",
        ])
        #expect(read.server?.url == "https://localhost:1")
        #expect(read.credential == .tokens(api: "mock", webAuth: nil))
        #expect(read.defaultContainerIdentifier == "iCloud.com.example.b")
    }

    @Test(arguments: [
        ("{", ":1:2: unexpected end of the text"),
        (
            #"{"version": 1, "environment": "development", "containers": []}"#,
            ":1:60: \"containers\" is empty"
        ),
        (
            #"{"version": 1, "environment": "test", "containers": [{"identifier": "a"}]}"#,
            ":1:31: \"environment\" must be"
        ),
        (
            #"{"version": 1, "environment": "development", "contaners": []}"#,
            "did you mean \"containers\"?"
        ),
        (
            #"{"version": 1, "environment": "development", "#
                + #""containers": [{"identifier": "iCloud.a"}], "#
                + #""credentials": {"apiToken": "written-down"}}"#, "must be env:NAME, file:PATH"
        ),
        (
            #"{"version": 1, "environment": "development", "#
                + #""containers": [{"identifier": "iCloud.a"}], "#
                + #""credentials": {"apiToken": "env:NOT_THERE"}}"#, "NOT_THERE, which is not set"
        ),
    ])
    func `a list that cannot be used is refused in words`(text: String, words: String) throws {
        let path = try list(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let problem = #expect(throws: CloudKitConfigurationProblem.self) {
            try CloudKitConfiguration(containerListFile: path)
        }
        #expect(problem?.description.contains(words) == true)
        #expect(problem?.description.contains("written-down") == false)
    }

    /// The only test that touches what the process has in common.
    @Test func `bootstrap sets what default and named containers use`() async throws {
        CloudKitConfiguration.bootstrap(
            CloudKitConfiguration(defaultContainerIdentifier: "iCloud.com.example.main"))
        #expect(CKContainer.default().containerIdentifier == "iCloud.com.example.main")
        let error = await failure {
            _ = try await CKContainer.default().privateCloudDatabase.allRecordZones()
        }
        #expect(error?.code == .notAuthenticated)
        #expect(error?.localizedDescription.contains("cloudkit-mock exec") == true)
        let bad = await failure {
            _ = try await CKContainer(identifier: "wrong").privateCloudDatabase.allRecordZones()
        }
        #expect(bad?.code == .badContainer)
        CloudKitConfiguration.bootstrap(
            CloudKitConfiguration(
                server: .init(url: "not a URL"), defaultContainerIdentifier: "iCloud.com.example.x")
        )
        let address = await failure {
            _ = try await CKContainer.default().privateCloudDatabase.allRecordZones()
        }
        #expect(address?.code == .notAuthenticated)
    }
}
