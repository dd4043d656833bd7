import CloudModel
import Configuration
import Testing

/// Which server an address leads to: never more than one way to spell Apple's.
struct ServerAddressTests {
    @Test(arguments: [
        "https://api.apple-cloudkit.com", "https://API.apple-cloudkit.com",
        "https://api.Apple-CloudKit.COM/", "HTTPS://api.apple-cloudkit.com",
        "https://api.apple-cloudkit.com:443", "https://api.apple-cloudkit.com:0443//",
        "https://api.apple-cloudkit.com.", "https://api.apple-cloudkit.com.:443/",
    ])
    func `every spelling of Apple's address is Apple's, and no rehearsal`(text: String) {
        #expect(ServerAddress.problem(in: text) == nil)
        let server = ServerChoice(url: text, authorityFile: nil)
        #expect(server.facts == ServerFacts.apple)
    }

    @Test(arguments: [
        "https://api.apple-cloudkit.com:8443", "https://api.apple-cloudkit.com/database",
        "https://cdn.apple-cloudkit.com", "https://apple-cloudkit.com",
        "https://x.api.apple-cloudkit.com", "https://api..apple-cloudkit.com",
        "https://api.apple-cloudkit.com..:1", "https://me@api.apple-cloudkit.com",
        "https://api.apple-cloudkit.com@localhost", "https://api%2Eapple-cloudkit.com",
        "https://api.apple-cloudkit.com%2F", #"https://api.apple-cloudkit.com\x"#,
        "https://api.apple-cloudkit.com:0", "https://api.apple-cloudkit.com:65979",
        "https://api.apple-cloudkit.com:", "https://\u{FF41}pi.apple-cloudkit.com",
        "https://[::1", "https://[]", "https://[api.apple-cloudkit.com]", "https://:443",
        "https://",
        "http://api.apple-cloudkit.com",
    ])
    func `what may be Apple's in any other way is an error`(text: String) {
        #expect(ServerAddress.problem(in: text) != nil)
    }

    @Test(arguments: [
        ("https://LocalHost:8443/", "https://localhost:8443"),
        ("https://localhost:08443", "https://localhost:8443"),
        ("https://127.0.0.1:443/a//", "https://127.0.0.1/a"),
        ("https://[::1]:443", "https://[::1]"),
        ("https://[FE80::1]:8443", "https://[fe80::1]:8443"),
        ("https://not-apple-cloudkit.com.:443", "https://not-apple-cloudkit.com."),
        (
            "https://api.apple-cloudkit.com.example.org",
            "https://api.apple-cloudkit.com.example.org"
        ),
    ])
    func `any other server is a rehearsal, under one spelling`(text: String, canonical: String) {
        #expect(ServerAddress.problem(in: text) == nil)
        let server = ServerChoice(url: text, authorityFile: nil)
        #expect(server.facts == ServerFacts(url: canonical, isRehearsal: true))
    }

    @Test func `a mock server is not looked for at Apple's address`() throws {
        let world = try TestFolder()
        let error = #expect(throws: ConfigurationError.self) {
            try ServerChoice.emulator(
                in: world.source(variables: [
                    "CLOUDKIT_EMULATOR_URL": "https://API.apple-cloudkit.com:443"
                ]))
        }
        #expect(error?.reason == "the address is Apple's; a mock server is expected")
    }
}
