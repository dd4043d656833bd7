import AsyncOperations
import Foundation
import MockHost
import MockSamples
import MockStore
import Testing

/// A seed and a store in a folder that is opened more than once.
struct SeedRestartTests {
    typealias Running = MockServerTests.Running

    /// A folder for a store and files for seeds, removed at the end.
    private final class Place {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("seeded-\(ProcessInfo.processInfo.globallyUniqueString)").path

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var store: String { path + "/store" }

        /// A seed with one record in each of some zones.
        func seed(_ name: String, zones: String..., type: String = "Note") throws -> String {
            let list = zones.map {
                #"{"name":"\#($0)","records":[{"recordName":"first","recordType":"\#(type)","#
                    + #""fields":{"title":{"value":"from the seed"}}}]}"#
            }
            let text =
                #"{"version":1,"shows":"zones","users":["ann"],"databases":[{"user":"ann","#
                + #""container":"\#(Samples.main)","zones":[\#(list.joined(separator: ","))]}]}"#
            let file = path + "/" + name
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            return file
        }
    }

    /// A started server and its notes.
    private func start(
        _ place: Place, _ seeds: [String]
    ) throws -> (server: Running, notes: Locked<[String]>) {
        let notes = Locked<[String]>([])
        let running = try Running {
            $0.storage = .directory(place.store)
            $0.fixtures = seeds
            $0.note = { note in notes.withLock { $0.append(note) } }
        }
        return (running, notes)
    }

    private func refusal(_ place: Place, _ seeds: [String]) throws -> MockServerError {
        var configuration = MockServerConfiguration(stateFolder: place.path + "/state")
        configuration.storage = .directory(place.store)
        configuration.fixtures = seeds
        return try #require(throws: MockServerError.self) {
            _ = try MockServer(configuration, clock: Running.clock).start()
        }
    }

    private func send(_ running: Running, _ url: String, _ body: String) throws -> String {
        try running.curl("--cacert", running.ready.caFile, "-d", body, url).text
    }

    private func dump(_ running: Running) throws -> String {
        try running.curl(
            "--cacert", running.ready.caFile, running.ready.url + "/_mock/v1/dump?user=ann"
        ).text
    }

    /// The text of the seeded record of the zone Notes, or the error instead of it.
    private func firstNote(_ running: Running) throws -> String {
        try send(
            running, running.url("records/lookup"),
            #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"first"}]}"#)
    }

    @Test func `a seed is applied once, and edits and deletions outlive a restart`() throws {
        let place = try Place()
        let seed = try place.seed("demo.json", zones: "Notes", "Trips")
        let (first, firstNotes) = try start(place, [seed])
        #expect(firstNotes.withLock { $0 } == [])
        let edited = try send(
            first, first.url("records/modify"),
            #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","#
                + #""record":{"recordName":"first","recordType":"Note","fields":{"title":"#
                + #"{"value":"edited"}}}}]}"#)
        #expect(edited.contains("edited"), "\(edited)")
        let deleted = try send(
            first, first.url("zones/modify"),
            #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Trips"}}}]}"#)
        #expect(deleted.contains("Trips"), "\(deleted)")
        let before = try dump(first)
        #expect(before.contains("Notes") && before.contains("first"), "\(before)")
        #expect(first.stop())
        let (second, notes) = try start(place, [seed])
        #expect(try dump(second) == before)
        #expect(try firstNote(second).contains("edited"))
        let note = try #require(notes.withLock { $0 }.first)
        #expect(note.contains("was applied to") && note.contains(place.store), "\(note)")
        #expect(second.stop())
        // The seed may be left out, too.
        let (third, thirdNotes) = try start(place, [])
        #expect(try dump(third) == before)
        #expect(thirdNotes.withLock { $0 } == [])
        #expect(third.stop())
    }

    @Test func `a server whose seeded user has signed out starts again`() throws {
        let place = try Place()
        let seed = try place.seed("demo.json", zones: "Notes")
        let (first, _) = try start(place, [seed])
        let answer = try send(
            first, first.ready.url + "/_mock/v1/simulate", #"{"event":"sign-out","user":"ann"}"#)
        #expect(answer.contains(#""event""#), "\(answer)")
        #expect(first.stop())
        let (second, _) = try start(place, [seed])
        #expect(second.stop())
    }

    @Test func `another seed for a seeded store is refused with what to do`() throws {
        let place = try Place()
        let seed = try place.seed("demo.json", zones: "Notes")
        let other = try place.seed("other.json", zones: "Trips")
        let (first, _) = try start(place, [seed])
        let before = try dump(first)
        #expect(first.stop())
        for seeds in [[other], [seed, other]] {
            let error = try refusal(place, seeds)
            #expect(error.code == .input)
            #expect(error.reason.contains(place.store) && error.reason.contains("other.json"))
            #expect(error.reason.contains("--seed") && error.reason.contains("mock seed"))
        }
        // The same name with another text is another seed.
        _ = try place.seed("demo.json", zones: "Notes", "Trips")
        #expect(try refusal(place, [seed]).code == .input)
        let (last, _) = try start(place, [])
        #expect(try dump(last) == before)
        #expect(last.stop())
    }

    @Test func `the same text under another name is the same seed`() throws {
        let place = try Place()
        let (first, _) = try start(place, [try place.seed("one.json", zones: "Notes")])
        #expect(first.stop())
        let (second, notes) = try start(place, [try place.seed("two.json", zones: "Notes")])
        #expect(notes.withLock { $0.count } == 1)
        #expect(second.stop())
    }

    @Test func `a seed that was refused can be corrected and applied`() throws {
        let place = try Place()
        let seed = try place.seed("demo.json", zones: "Notes", type: "_not a type_")
        #expect(try refusal(place, [seed]).reason.contains("demo.json"))
        _ = try place.seed("demo.json", zones: "Notes")
        let (running, notes) = try start(place, [seed])
        #expect(notes.withLock { $0 } == [])
        #expect(try firstNote(running).contains("from the seed"))
        #expect(running.stop())
    }
}
