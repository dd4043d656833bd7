import Evidence
import Foundation
import Testing

/// Numbers that have no sum, in what somebody signs who holds a trusted key: refused with a reason.
struct HostileNumbersTests {
    private static let largest = 9_007_199_254_740_991
    /// So many of the largest number are more than 64 bits hold.
    private static let enough = 1_100

    private func refusal(_ envelope: [UInt8]) throws -> EvidenceError? {
        let sample = SampleCase()
        return #expect(throws: EvidenceError.self) {
            try sample.attest(envelope, events: sample.events)
        }
    }

    @Test(arguments: ["deleted", "found", "kept", "left", "failed", "planned", "alreadyGone"])
    func `rows whose numbers cannot be added up are refused`(field: String) throws {
        let envelope = try SampleCase().forged { predicate in
            let rows = try #require(predicate["coverage"] as? [[String: Any]])
            predicate["coverage"] = (0..<Self.enough).map { number in
                var row = rows[0]
                row["subject"] = "\(number)"
                var counts = row["counts"] as? [String: Any] ?? [:]
                if row["counts"] == nil { row[field] = Self.largest }
                counts[field] = Self.largest
                if row["counts"] != nil { row["counts"] = counts }
                return row
            }
        }
        let error = try refusal(envelope)
        #expect(error?.reason.isEmpty == false)
    }

    @Test func `events whose numbers cannot be added up are those of another run`() throws {
        var sample = SampleCase()
        sample.events += (0..<Self.enough).map { step in
            CanonicalValue.object([
                ("alreadyGone", .number(Int64(Self.largest))), ("at", .number(SampleCase.start)),
                ("container", .text(SampleCase.first)), ("counted", .flag(true)),
                ("database", .text("private")), ("deleted", .number(Int64(Self.largest))),
                ("event", .text("outcome")), ("kind", .text("custom zones")),
                ("step", .number(Int64(100 + step))),
            ]).canonicalBytes
        }
        let (_, tally) = try sample.digested()
        #expect(tally.steps == 4 + Self.enough)
        #expect(tally.sums.values.contains { $0.deleted == .max && $0.alreadyGone == .max })
        #expect(try sample.statement().verdict == .partial)
    }

    @Test func `rows of a look whose numbers cannot be added up have the largest sum`() throws {
        let sample = SampleCase()
        let look = try LookFacts(
            run: "look", beganAt: SampleCase.at(100), endedAt: SampleCase.at(101),
            service: sample.facts.service, environment: sample.facts.environment,
            containers: sample.facts.containers, passes: [], cleanPasses: 2,
            rows: (0..<Self.enough).map {
                .init(
                    container: SampleCase.first, database: "private", kind: "\($0)",
                    left: Self.largest, withoutData: 0)
            }, unread: 0, devices: [], provenBy: nil)
        #expect(look.found == .recreatedWithData)
        #expect(look.left == .max)
    }

    @Test func `a statement that names a database twice is refused`() throws {
        let error = try refusal(
            SampleCase().forged { predicate in
                predicate["databases"] = ["private", "private"]
            })
        #expect(error?.code == .coverage)
    }
}
