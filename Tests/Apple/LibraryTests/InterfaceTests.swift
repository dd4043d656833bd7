import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// The public interface of each library product, as the compiler sees it, against the committed
/// list, so that no symbol that an app may use vanishes or changes unseen.
///
/// With CKSWEEP_RECORD_SNAPSHOTS=1 the lists are written anew: look at the difference.
@Suite(.timeLimit(.minutes(10)))
struct InterfaceTests {
    /// The products' modules, but for `CloudKit`, whose list says of each of Apple's symbols how
    /// far it is done.
    static let modules = [
        "CoreLocation", "UniformTypeIdentifiers", "UserActivity", "ContinuationHost",
        "CoreSpotlight", "Intents", "CloudKitMock",
    ]

    @Test(arguments: modules)
    func `no public symbol vanishes or changes unseen`(module: String) throws {
        let graph = try SymbolGraph.of(module)
        let file = Repository.url("Tests/Apple/LibraryTests/api/\(module).txt")
        if ProcessInfo.processInfo.environment["CKSWEEP_RECORD_SNAPSHOTS"] == "1" {
            try Data((graph.lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
        let promised = Set(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init))
        let there = Set(graph.lines)
        #expect(promised.subtracting(there).sorted() == [], "gone")
        #expect(there.subtracting(promised).sorted() == [], "new")
    }

    @Test(arguments: modules)
    func `everything public says what it is`(module: String) throws {
        #expect(try SymbolGraph.of(module).bare == [])
    }
}
