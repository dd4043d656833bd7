import CloudModel
import Foundation
import RecordSync
import Testing

struct StateCodingTests {
    private func read(_ text: String) throws -> SyncState {
        try JSONDecoder().decode(SyncState.self, from: Data(text.utf8))
    }

    @Test func `a state comes back as it was, and what is in flight is pending`() throws {
        let zone = RecordZone.ID("trips", ownerRecordName: "_bob")
        var state = SyncState()
        state.change(to: "_ann")
        state.token = ChangeToken("AQ==")
        var known = ZoneState()
        known.token = ChangeToken("Ag==")
        known.hasNews = true
        known.isReadWhole = true
        known.isDoubted = true
        known.known.note(KnownRecords.Entry(name: "a b", type: "Note"))
        state.zones[zone] = known
        state.records.add(.delete(Record.ID("b", zoneID: zone)))
        state.recordsInFlight = [.save(Record.ID("a", zoneID: zone))]
        state.zoneChanges.add(.delete(RecordZone.ID("old")))
        state.zonesInFlight = [.save(zone)]
        state.hasUntracked = true
        let data = try JSONEncoder().encode(state)
        let back = try JSONDecoder().decode(SyncState.self, from: data)
        #expect(back.user == "_ann")
        #expect(back.hadUser)
        #expect(back.token == state.token)
        #expect(back.zones[zone]?.token == known.token)
        #expect(back.zones[zone]?.isReadWhole == true)
        #expect(back.zones[zone]?.isDoubted == true)
        #expect(back.zonesWithNews == [zone])
        #expect(back.zones[zone]?.known.type(of: "a b") == "Note")
        #expect(
            back.records.changes == [
                .save(Record.ID("a", zoneID: zone)), .delete(Record.ID("b", zoneID: zone)),
            ])
        #expect(back.zoneChanges.changes == [.save(zone), .delete(RecordZone.ID("old"))])
        #expect(back.recordsInFlight.isEmpty)
        #expect(back.hasUntracked)
    }

    @Test func `an older form lacks keys, a newer one has more`() throws {
        let old = try read(#"{"user":"_ann","records":["+a\ntrips"]}"#)
        #expect(old.hadUser)
        #expect(old.records.changes == [.save(Record.ID("a", zoneID: RecordZone.ID("trips")))])
        let new = try read(
            #"{"version":1,"colour":"red","zones":[{"id":"trips","size":3,"token":"AQ=="}]}"#)
        #expect(new.zones[RecordZone.ID("trips")]?.token == ChangeToken("AQ=="))
    }

    @Test(arguments: [
        #"{"version":2}"#, #"{"records":["a\nz"]}"#, #"{"records":["+a"]}"#,
        #"{"zoneChanges":["trips"]}"#, #"{"zoneChanges":["+"]}"#,
        #"{"zones":[{"id":"z","known":"Note\n\n+1 a\n"}]}"#,
        #"{"zones":[{"id":"z","known":"Note\n\n*0 a\n"}]}"#,
        #"{"zones":[{"id":"z","known":"Note\n\n+0 a"}]}"#, #"{"zones":3}"#, "[]",
    ])
    func `what is no state is refused`(text: String) {
        #expect(throws: DecodingError.self) { try read(text) }
    }

    @Test func `another account forgets, and nobody's first changes are kept`() {
        var state = SyncState()
        state.zoneChanges.add(.save(RecordZone.ID("trips")))
        state.change(to: "_ann")
        #expect(state.zoneChanges.count == 1)
        state.token = ChangeToken("AQ==")
        state.change(to: nil)
        #expect(state.zoneChanges.isEmpty)
        #expect(state.token == nil)
        state.zoneChanges.add(.save(RecordZone.ID("trips")))
        state.change(to: "_bob")
        #expect(state.zoneChanges.isEmpty)
    }
}
