import Configuration
import Testing

/// `caps`, `approvals` and `approvers` of a container list.
struct ApprovalReaderTests {
    private static let ada = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
    private static let bob = "MCowBQYDK2VwAyEAIVL40Zt5HSRFMkLhXy6rbLfP+nqP4mN2YvDpwLG4LzA="

    private func read(_ members: String) throws -> ContainerList {
        let world = try TestFolder()
        try world.put(
            """
            { "version": 1, "environment": "development",
              "containers": [ { "identifier": "iCloud.com.example.app" } ], \(members) }
            """, at: "list.json")
        return try ContainerListReader.read("list.json", files: world.files)
    }

    private func approver(_ name: String, _ key: String) -> String {
        #"{ "name": "\#(name)", "key": "\#(key)" }"#
    }

    @Test func `who has to sign, and who may`() throws {
        let list = try read(
            #""approvals": 2, "approvers": [\#(approver("Ada", Self.ada)), \#(approver("Bob", Self.bob))]"#
        )
        #expect(list.policy.approvals.count == 2)
        #expect(list.policy.approvals.approvers.map(\.name) == ["Ada", "Bob"])
        #expect(
            list.policy.approvals.approvers[0].key
                == "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")
        #expect(try read(#""approvals": 0"#).policy.approvals == ApprovalRule())
    }

    @Test func `a part of all records is a cap, too, with its place`() throws {
        let caps = try read(#""caps": { "percent": 90 }"#).policy.caps
        #expect(caps.percent == 90 && caps.zones == nil && caps.records == nil)
        #expect(caps.places[.percent] == "list.json:2:86")
        #expect(try read(#""caps": {}"#).policy.caps == Caps())
    }

    @Test(arguments: [
        (#""caps": { "percent": 101 }"#, "from 0 to 100"),
        (#""caps": { "percent": -1 }"#, "from 0 to 100"),
        (#""caps": { "percent": 9.5 }"#, "a whole number"),
        (#""caps": { "percents": 9 }"#, "did you mean \"percent\"?"),
        (#""approvals": 1"#, "1 approvals are required, but \"approvers\" names only 0"),
        (#""approvals": 17"#, "from 0 to 16"), (#""approvals": "2""#, "a whole number"),
        (#""approvers": []"#, "needs \"approvals\""),
    ])
    func `what is no cap and no number of people is an error`(
        members: String, message: String
    ) throws {
        let error = #expect(throws: ConfigurationError.self) { _ = try read(members) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("list.json:2:") == true)
    }

    @Test func `one person is one name and one key`() throws {
        let ada = approver("Ada", Self.ada)
        for other in [approver("Ada", Self.bob), approver("Bob", Self.ada), ada] {
            let error = #expect(throws: ConfigurationError.self) {
                _ = try read(#""approvals": 2, "approvers": [\#(ada), \#(other)]"#)
            }
            #expect(error?.reason.contains("is repeated") == true)
        }
    }

    @Test(arguments: [
        "", "ada.pem", "MCowBQYDK2VwAyEA",
        "MCowBQYDK2VuAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
        "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
        "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=AAAA",
    ])
    func `what is no Ed25519 key in one line is an error`(key: String) throws {
        #expect(throws: ConfigurationError.self) {
            _ = try read(#""approvals": 1, "approvers": [\#(approver("Ada", key))]"#)
        }
    }
}
