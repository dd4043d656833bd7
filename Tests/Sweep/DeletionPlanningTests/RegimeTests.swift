import Basics
import DeletionPlanning
import Testing

/// Until when a request has to be answered.
struct RegimeTests {
    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso8601: text)) }

    @Test(arguments: [
        ("2026-01-15", "2026-02-15", "2026-04-15"),
        // A month without that day ends with its last.
        ("2026-01-31", "2026-02-28", "2026-04-30"), ("2028-01-31", "2028-02-29", "2028-04-30"),
        ("2026-08-31", "2026-09-30", "2026-11-30"), ("2026-12-31", "2027-01-31", "2027-03-31"),
        ("2026-11-30", "2026-12-30", "2027-02-28"), ("2028-02-29", "2028-03-29", "2028-05-29"),
    ])
    func `GDPR gives a month, and two more`(
        received: String, due: String, extended: String
    ) throws {
        let request = ErasureRequest(receivedOn: try day(received), regime: .gdpr)
        #expect(request.due.iso8601 == due)
        #expect(request.dueIfExtended.iso8601 == extended)
    }

    @Test(arguments: [
        ("2026-01-01", "2026-02-15", "2026-04-01"), ("2026-12-01", "2027-01-15", "2027-03-01"),
        ("2028-01-16", "2028-03-01", "2028-04-15"),
    ])
    func `CCPA gives 45 days, and 45 more`(
        received: String, due: String, extended: String
    ) throws {
        let request = ErasureRequest(receivedOn: try day(received), regime: .ccpa)
        #expect(request.due.iso8601 == due)
        #expect(request.dueIfExtended.iso8601 == extended)
    }

    @Test func `days are counted to the end of the last one, in UTC`() throws {
        let request = ErasureRequest(receivedOn: try day("2026-01-15"), regime: .gdpr)
        for (moment, left) in [
            ("2026-02-14T23:59:59Z", 1), ("2026-02-15T00:00:00Z", 0), ("2026-02-15T23:59:59Z", 0),
            ("2026-02-16T00:00:00Z", -1), ("2026-01-15T12:00:00Z", 31),
        ] {
            #expect(request.daysLeft(at: try #require(Timestamp(iso8601: moment))) == left)
        }
    }

    @Test(arguments: [
        "", "2026-1-31", "2026-02-29", "2026-00-10", "2026-13-01", "2026-04-31", "2026-01-00",
        "2026-01-31Z", "+026-01-31", "２026-01-31", "2026/01/31",
    ])
    func `what is no day is none`(text: String) {
        #expect(CivilDate(iso8601: text) == nil)
        #expect(ErasureRequest(text: text + " gdpr") == nil)
    }

    @Test(arguments: ["2026-01-31 gdpr", "0001-12-01 ccpa", "2028-02-29 ccpa"])
    func `a request is kept as it was`(text: String) {
        #expect(ErasureRequest(text: text)?.text == text)
        for wrong in [text + " ", " " + text, text + "\n", String(text.dropLast())] {
            #expect(ErasureRequest(text: wrong) == nil)
        }
    }
}
