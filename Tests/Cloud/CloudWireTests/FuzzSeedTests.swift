import CloudWire
import Foundation
import RepositoryRoot
import Testing

struct FuzzSeedTests {
    private static let folder = Repository.url("Tests/Fuzz/Seeds/json")
    static let seeds =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []

    /// The operations in the order that the fuzz target numbers them.
    private static let operations = [
        "zones/list", "zones/lookup", "zones/modify", "zones/changes", "changes/database",
        "changes/zone", "records/query", "records/lookup", "records/modify", "subscriptions/list",
        "subscriptions/lookup", "subscriptions/modify", "users/caller",
    ]

    @Test(arguments: seeds)
    func `what fuzzing begins with is a request of its operation`(seed: String) throws {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: seed)))
        let operation = Self.operations[Int(try #require(bytes.first))]
        let path = "/database/1/iCloud.com.example.app/development/private/" + operation
        let route = try WireRoute.parse(method: "POST", path: path, query: "")
        let (command, _) = try CommandDecoder().decode(route, body: Array(bytes.dropFirst()))
        #expect(command.operationPath == operation)
    }

    @Test func `fuzzing begins with something`() { #expect(Self.seeds.count >= 10) }
}
