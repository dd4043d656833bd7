import Configuration
import FileSystem
import Testing

/// Hooks in a container list are read as strictly as the rest.
struct HookReaderTests {
    private func list(_ hooks: String) throws -> ContainerList {
        let folder = try TestFolder()
        try folder.put(
            """
            { "version": 1, "environment": "development",
              "containers": [ { "identifier": "iCloud.com.example.app" } ],
              "hooks": [ \(hooks) ] }
            """, at: "list.json")
        return try ContainerListReader.read("list.json", files: folder.files)
    }

    @Test func `a program and an address are read`() throws {
        let hooks = try list(
            """
            { "after": "verified", "command": ["/usr/bin/logger", "a", "a"] },
            { "after": "any", "webhook": "https://example.com/x", "secret": "env:HOOK" }
            """
        ).hooks
        #expect(hooks.map(\.after) == [.verified, .any])
        #expect(hooks[0].action == .command(["/usr/bin/logger", "a", "a"]))
        guard case .webhook(let url, let authority, let secret) = hooks[1].action else {
            Issue.record("no webhook")
            return
        }
        #expect("\(url)" == "https://example.com/x" && authority == nil)
        #expect(secret.source == .variable("HOOK"))
    }

    @Test(arguments: [
        (#"{ "command": ["/x"] }"#, "needs the key \"after\""),
        (
            #"{ "after": "verifed", "command": ["/x"] }"#,
            "did you mean \"verified\"?"
        ),
        (#"{ "after": "any" }"#, "needs either"),
        (
            #"{ "after": "any", "command": ["/x"], "webhook": "https://x" }"#, "needs either"
        ),
        (#"{ "after": "any", "command": [] }"#, "absolute path"),
        (#"{ "after": "any", "command": ["logger"] }"#, "absolute path"),
        (#"{ "after": "any", "command": ["/x"], "secret": "env:A" }"#, "needs a \"webhook\""),
        (#"{ "after": "any", "webhook": "http://x", "secret": "env:A" }"#, "https://"),
        (#"{ "after": "any", "webhook": "https://x" }"#, "needs a \"secret\""),
        (
            #"{ "after": "any", "webhook": "https://x", "secret": "s3cr3t" }"#,
            "are not allowed in this file"
        ),
        (
            #"{ "after": "any", "webhook": "https://x", "secret": "login" }"#,
            "must be env:NAME or file:PATH"
        ),
        (#"{ "after": "any", "webhok": "https://x" }"#, "did you mean \"webhook\"?"),
    ])
    func `a slip is told with what was meant`(hook: String, problem: String) {
        let error = #expect(throws: ConfigurationError.self) { try list(hook) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
        #expect(error?.description.contains("s3cr3t") != true)
    }

    @Test func `there are only so many`() {
        let one = #"{ "after": "any", "command": ["/x"] }"#
        let many = Array(repeating: one, count: ContainerList.hooksMax + 1)
        let error = #expect(throws: ConfigurationError.self) {
            try list(many.joined(separator: ", "))
        }
        #expect(error?.description.contains("more than 16") == true)
    }
}
