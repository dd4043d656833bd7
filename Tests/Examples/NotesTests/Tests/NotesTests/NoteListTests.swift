import CloudKit
import CloudKitMock
import Notes
import Testing

/// Fifty at a time, in namespaces of one server.
let service = SharedMockCloud(seed: 7)

@Suite(.timeLimit(.minutes(10)))
struct NoteListTests {
    @Test(arguments: MockDepth.allCases)
    func `what one device does, the other sees`(depth: MockDepth) async throws {
        try await withMockCloud(seed: 7, depth: depth) { cloud in
            let phone = NoteList(try await cloud.container(device: "phone"))
            let tablet = NoteList(try await cloud.container(device: "tablet"))
            try await phone.open()
            try await phone.add("milk", title: "Milk")
            try await tablet.refresh()
            #expect(await tablet.titles == ["milk": "Milk"])
            try await tablet.delete("milk")
            try await phone.refresh()
            #expect(await phone.titles.isEmpty)
        }
    }

    @Test func `what the service asks to wait for is waited for`() async throws {
        try await withMockCloud(seed: 7) { cloud in
            let list = NoteList(cloud.container) { try await cloud.advanceClock(by: $0) }
            try await list.open()
            try await cloud.inject("records/modify 2 times -> THROTTLED retry 30s")
            try await list.add("milk", title: "Milk")
            let failures = try await cloud.requests("records/modify").map(\.failure)
            #expect(failures == ["THROTTLED", "THROTTLED", nil])
        }
    }

    @Test func `a token that has expired begins anew, and keeps nothing that is gone`() async throws
    {
        try await withMockCloud(seed: 7) { cloud in
            let phone = NoteList(cloud.container)
            let tablet = NoteList(try await cloud.container())
            try await phone.open()
            try await phone.add("milk", title: "Milk")
            try await phone.add("bread", title: "Bread")
            try await tablet.refresh()
            try await phone.delete("milk")
            try await cloud.simulate(.expireTokens)
            try await tablet.refresh()
            #expect(await tablet.titles == ["bread": "Bread"])
        }
    }

    @Test(arguments: 1...50)
    func `none of fifty people sees another's notes`(number: Int) async throws {
        try await service.withNamespace("person-\(number)") { cloud in
            let list = NoteList(cloud.container)
            try await list.open()
            try await list.add("number", title: "\(number)")
            let other = NoteList(try await cloud.container())
            try await other.refresh()
            #expect(await other.titles == ["number": "\(number)"])
            #expect(try await cloud.requests("zones/modify").count == 1)
        }
    }
}
