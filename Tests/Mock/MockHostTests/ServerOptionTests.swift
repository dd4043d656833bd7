import Foundation
import MockAdmin
import MockHost
import MockService
import RepositoryRoot
import Testing

/// The table of switches, and how they are set by name.
struct ServerOptionTests {
    private func refusal(_ assignment: String) -> String? {
        var configuration = MockServerConfiguration(stateFolder: "/nonexistent")
        do throws(MockError) {
            try configuration.set(assignment)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `every switch takes its own standard, and is shown over the wire`() throws {
        let shown = try Bench().admin("GET", "options").json
        for option in ServerOption.table {
            #expect(refusal("\(option.name)=\(option.standard)") == nil)
            #expect(shown?[option.name] != nil)
            #expect(!option.about.isEmpty && option.about.last != ".")
        }
        #expect(shown?.members.count { _ in true } == ServerOption.table.count)
        #expect(Set(ServerOption.table.map(\.name)).count == ServerOption.table.count)
    }

    @Test func `a switch that is set by name is what the server has`() throws {
        let bench = try Bench {
            for text in ["emptyPages=3", "singleUseTokens=true", "defaultZoneMode=purge"] {
                try? $0.set(text)
            }
        }
        let shown = try bench.admin("GET", "options").json
        #expect(shown?["emptyPages"]?.int64 == 3)
        #expect(shown?["singleUseTokens"]?.bool == true)
        #expect(shown?["defaultZoneMode"]?.string == "purge")
    }

    @Test(arguments: [
        ("emptyPage=3", "did you mean \"emptyPages\"?"), ("emptyPages", "emptyPages=0"),
        ("emptyPages=many", "whole number from 0 to 1000"), ("emptyPages=1001", "0 to 1000"),
        ("singleUseTokens=yes", "true|false"), ("defaultZoneMode=purg", "did you mean \"purge\"?"),
        ("replicaLagMilliseconds=5", "use a fault such as \"changes/*"),
        ("", "there is no setting"), ("=", "there is no setting"),
    ])
    func `what is wrong is said, with what is nearest`(assignment: String, hint: String) {
        #expect(refusal(assignment)?.contains(hint) == true, "\(refusal(assignment) ?? "")")
    }

    /// The table of the article; with CKSWEEP_RECORD_SNAPSHOTS=1 it is written anew.
    @Test func `the article lists every switch as the table has it`() throws {
        let file = Repository.url("Sources/Mock/MockHost/MockHost.docc/Switches.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let head = try #require(text.firstRange(of: "|---|---|---|---|\n"))
        let expected = text[..<head.upperBound] + ServerOption.article
        if ProcessInfo.processInfo.environment["CKSWEEP_RECORD_SNAPSHOTS"] == "1" {
            try String(expected).write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(text == expected)
        }
    }
}
