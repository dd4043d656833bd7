/// Whether the journal matches expectations, and if not, the nearest requests.
package struct JournalVerdict: Sendable {
    package enum Answer: String, CaseIterable, Sendable {
        case holds, fails
        /// Requests that are kept no more could make it one or the other.
        case unknown
    }

    /// A request that is not as it is meant to be, in as little as any.
    package struct NearMiss: Sendable, Hashable {
        package let number: Int
        package let operation: String
        package let differences: [RequestPattern.Difference]
    }

    /// The verdict on one expectation.
    package struct Item: Sendable {
        package let expectation: JournalExpectation
        package let answer: Answer
        package let matched: Int
        /// The numbers of the first requests that are meant.
        package let matches: [Int]
        /// In words; nil where it holds.
        package let reason: String?
        package let nearMisses: [NearMiss]
    }

    /// Expectations at once.
    package static let expectationsMax = 16
    /// Requests named of one expectation.
    static let matchesMax = 20
    static let nearMissesMax = 3

    package let items: [Item]
    /// Whether every request that was asked for is kept.
    let isComplete: Bool

    /// Fails where anything fails, and holds where everything does.
    package var answer: Answer {
        if items.contains(where: { $0.answer == .fails }) { return .fails }
        return items.contains { $0.answer == .unknown } ? .unknown : .holds
    }

    /// Looks at each expectation by itself.
    ///
    /// - Parameters:
    ///   - entries: Those that are kept, by number.
    ///   - isComplete: Whether those are all.
    package init(
        _ expectations: [JournalExpectation], _ entries: [RequestJournal.Entry], isComplete: Bool
    ) {
        self.isComplete = isComplete
        items = expectations.map { Self.count($0, entries, isComplete: isComplete) }
    }

    private static func count(
        _ expectation: JournalExpectation, _ entries: [RequestJournal.Entry], isComplete: Bool
    ) -> Item {
        let matches = entries.filter(expectation.pattern.matches)
        let (count, least) = (matches.count, expectation.count.least)
        var (answer, reason, misses): (Answer, String?, [NearMiss]) = (.holds, nil, [])
        let found = "expected \(expectation.count) matching requests, found \(count)"
        if let most = expectation.count.most, count > most {
            (answer, reason) = (.fails, found)
        } else if count < least {
            (answer, reason) = (isComplete ? .fails : .unknown, found + lost(isComplete))
            misses = nearMisses(to: expectation.pattern, in: entries)
        } else if expectation.count.most != nil, !isComplete {
            (answer, reason) = (.unknown, found + lost(isComplete))
        }
        return Item(
            expectation: expectation, answer: answer, matched: count,
            matches: matches.prefix(matchesMax).map(\.number), reason: reason, nearMisses: misses)
    }

    /// Looks for requests of which each is as one expectation says and comes after that of the one before.
    package init(
        inOrder expectations: [JournalExpectation], _ entries: [RequestJournal.Entry],
        isComplete: Bool
    ) {
        self.isComplete = isComplete
        var (items, rest, hasFailed) = ([] as [Item], entries[...], false)
        for expectation in expectations {
            let item: Item
            if hasFailed {
                item = Item(
                    expectation: expectation, answer: .unknown, matched: 0, matches: [],
                    reason: "no match for the previous one", nearMisses: [])
            } else {
                item = Self.find(expectation, in: &rest, of: entries, isComplete: isComplete)
                hasFailed = item.answer != .holds
            }
            items.append(item)
        }
        self.items = items
    }

    /// Takes the first requests that are meant; each but the last must be followed by the next.
    private static func find(
        _ expectation: JournalExpectation, in rest: inout ArraySlice<RequestJournal.Entry>,
        of entries: [RequestJournal.Entry], isComplete: Bool
    ) -> Item {
        let (pattern, start) = (expectation.pattern, rest.startIndex)
        var matches: [Int] = []
        while matches.count < expectation.count.least,
            let index = rest.firstIndex(where: pattern.matches)
        {
            matches.append(rest[index].number)
            rest = rest[(index + 1)...]
        }
        guard matches.count < expectation.count.least else {
            return Item(
                expectation: expectation, answer: .holds, matched: matches.count,
                matches: Array(matches.prefix(matchesMax)), reason: nil, nearMisses: [])
        }
        let place = start > entries.startIndex ? " after request \(entries[start - 1].number)" : ""
        let early = entries[..<start].last(where: pattern.matches)
        let reason =
            "expected \(expectation.count) matching requests\(place), found \(matches.count)"
            + (early.map { "; request \($0.number) matches, but came too early" } ?? "")
            + lost(isComplete)
        return Item(
            expectation: expectation, answer: isComplete ? .fails : .unknown,
            matched: matches.count, matches: Array(matches.prefix(matchesMax)), reason: reason,
            nearMisses: nearMisses(to: pattern, in: entries[start...]))
    }

    private static func lost(_ isComplete: Bool) -> String {
        isComplete ? "" : "; older requests were discarded, so the result is unknown"
    }

    /// The requests that match in some parts and differ in the fewest, the newest first.
    private static func nearMisses(
        to pattern: RequestPattern, in entries: some BidirectionalCollection<RequestJournal.Entry>
    ) -> [NearMiss] {
        var nearest: [NearMiss] = []
        let partCount = pattern.partCount
        for entry in entries.reversed() {
            let differences = pattern.differences(from: entry)
            guard !differences.isEmpty, differences.count < partCount else { continue }
            let place =
                nearest.firstIndex { $0.differences.count > differences.count } ?? nearest.count
            guard place < nearMissesMax else { continue }
            nearest.insert(
                NearMiss(
                    number: entry.number, operation: entry.operation, differences: differences),
                at: place)
            if nearest.count > nearMissesMax { nearest.removeLast() }
        }
        return nearest
    }
}
