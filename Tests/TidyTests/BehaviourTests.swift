import Foundation
import Testing

/// CloudKit's behaviours are numbered from 1 to 118; tests of them carry their number in their name, as
/// `C-51` where all depths are tested by one suite and `A-51` elsewhere.
struct BehaviourTests {
    /// Those that no request to the service shows, and where they are instead.
    private static let others: [ClosedRange<Int>: String] = [
        2...2: "an account that is unavailable for a while is known to the device alone",
        4...5: "what an app keeps when somebody signs in or out is up to the sync engine",
        6...6: "no quota is kept; a fault answers QUOTA_EXCEEDED",
        14...14: "what a client does after a reset is up to the sync engine",
        17...17: "a creation that is said to have succeeded and has not: no fault does that yet",
        45...46: "limits of the native framework, met before anything is sent",
        48...48: "the native framework's callbacks",
        72...72: "what the native framework makes of a feed",
        83...83: "the order of the native framework's callbacks",
        85...85: "two fetches of the native framework at once",
        87...87: "a deletion of what a client never saw is the client's to ignore",
        114...114: "the native framework refuses this itself, without a request",
        118...118: "the order in which a client sends what it has queued",
    ]

    @Test func `every behaviour that a request can show has a test with its number`() throws {
        let pattern = try NSRegularExpression(pattern: "\\b[AC]-([0-9]{1,3})\\b")
        var tested: Set<Int> = []
        for file in try Repository.swiftFiles(below: "Tests") {
            for line in file.lines where line.contains("func `") {
                let range = NSRange(line.startIndex..., in: line)
                for match in pattern.matches(in: line, range: range) {
                    if let found = Range(match.range(at: 1), in: line),
                        let number = Int(line[found])
                    {
                        tested.insert(number)
                    }
                }
            }
        }
        let others = Set(Self.others.keys.flatMap { Array($0) })
        #expect((1...118).filter { !tested.contains($0) && !others.contains($0) } == [])
        #expect(others.intersection(tested).sorted() == [], "these have tests")
    }
}
