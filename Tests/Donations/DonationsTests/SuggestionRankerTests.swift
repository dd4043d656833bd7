import Basics
import Donations
import RandomSeeds
import Testing

struct SuggestionRankerTests {
    /// Thursday, 2026-01-15T08:30:00Z.
    static let now = Timestamp(milliseconds: 1_768_465_800_000)
    static let key: (UInt64, UInt64) = (1, 2)
    static let hour: Duration = .seconds(3600)
    static let day: Duration = .seconds(86_400)

    /// One thing that was done.
    struct Act {
        let pattern: SuggestionPattern
        let at: Timestamp
    }

    static func pattern(_ family: String, _ values: [String: String] = [:]) -> SuggestionPattern {
        SuggestionPattern(
            family: family, values: values.map { .init($0.key, Array($0.value.utf8)) })
    }

    /// Ranks acts as a store would: grouped by pattern and slot.
    static func rank(_ acts: [Act], now: Timestamp = now) -> [RankedSuggestion] {
        var ranker = SuggestionRanker(now: now)
        var patterns: [SuggestionMark: SuggestionPattern] = [:]
        let slot = SuggestionSlot(now)
        for (index, act) in acts.enumerated() {
            let mark = SuggestionMark(act.pattern, key: key)
            patterns[mark] = act.pattern
            ranker.add(
                .init(
                    mark: mark, points: slot.points(for: SuggestionSlot(act.at)), count: 1,
                    countAtPlace: 0, latest: act.at, donation: Int64(index)))
        }
        return ranker.ranked(
            ranker.best.compactMap { candidate in
                patterns[candidate.mark].map { (candidate, $0) }
            })
    }

    static func ago(_ days: Int, hours: Int = 0) -> Timestamp {
        now.advanced(by: .zero - day * days - hour * hours)
    }

    @Test func `what was done at this time of day comes before what was done more often`() {
        let morning = (1...3).map { Act(pattern: Self.pattern("order"), at: Self.ago($0)) }
        let evening = (1...5).map {
            Act(pattern: Self.pattern("cook"), at: Self.ago($0, hours: 12))
        }
        let ranked = Self.rank(evening + morning)
        #expect(ranked.map(\.pattern.family) == ["order", "cook"])
        #expect(ranked[0].candidate.sameTime == 3 && ranked[0].candidate.sameTimeAndDay == 0)
        #expect(ranked[1].score == 0)
    }

    @Test func `the same weekday counts more than another`() {
        let weekly = [7, 14].map { Act(pattern: Self.pattern("run"), at: Self.ago($0)) }
        let other = [1, 2, 3].map { Act(pattern: Self.pattern("read"), at: Self.ago($0)) }
        let ranked = Self.rank(other + weekly)
        #expect(ranked.map(\.pattern.family) == ["run", "read"])
        #expect(ranked[0].candidate.sameTimeAndDay == 2)
    }

    @Test func `a habit that was given up fades`() {
        let old = (100...109).map { Act(pattern: Self.pattern("old"), at: Self.ago($0)) }
        let new = (1...2).map { Act(pattern: Self.pattern("new"), at: Self.ago($0)) }
        #expect(Self.rank(old + new).map(\.pattern.family) == ["new", "old"])
    }

    @Test(arguments: [(6, 4, ["soup", "soup,size"]), (9, 1, ["soup,size"]), (4, 4, ["soup"])])
    func `the more specific combination is preferred when it fits`(
        small: Int, large: Int, shown: [String]
    ) {
        // Each order gives the pattern of the soup and the one of soup and size.
        var acts: [Act] = []
        for index in 1...small + large {
            let size = index <= small ? "small" : "large"
            let at = Self.ago(index % 6 + 1)
            acts.append(Act(pattern: Self.pattern("order", ["soup": "tomato"]), at: at))
            acts.append(
                Act(pattern: Self.pattern("order", ["soup": "tomato", "size": size]), at: at))
        }
        let ranked = Self.rank(acts)
        let names = ranked.map { suggestion in
            suggestion.pattern.values.map(\.name).sorted().reversed().joined(separator: ",")
        }
        if shown == ["soup"] {
            #expect(names == ["soup"])
        } else {
            #expect(names.first == "soup,size" && !names.contains("soup"))
            #expect(ranked[0].pattern.values.contains { $0.bytes == Array("small".utf8) })
        }
    }

    @Test func `a value that is no part of the combination does not hide the repetition`() {
        let first = SuggestionPattern.split(
            family: "play", values: [.init("show", [1]), .init("position", [7])],
            combinations: [["show"]])
        let second = SuggestionPattern.split(
            family: "play", values: [.init("position", [9]), .init("show", [1])],
            combinations: [["show"]])
        #expect(first == second && first.count == 1)
    }

    @Test func `only combinations whose parameters have values are patterns`() {
        let values: [SuggestionPattern.Value] = [.init("a", [1]), .init("b", [2])]
        let split = SuggestionPattern.split(
            family: "f", values: values, combinations: [["a"], ["a", "b"], ["b", "c"], ["a"], []])
        #expect(split.map { $0.values.map(\.name) } == [["a"], ["a", "b"], []])
        let whole = SuggestionPattern.split(family: "f", values: values, combinations: [])
        #expect(whole == [SuggestionPattern(family: "f", values: values)])
    }

    @Test func `patterns that differ have different bytes`() {
        let patterns = [
            Self.pattern("a"), Self.pattern("ab"), Self.pattern("a", ["b": ""]),
            Self.pattern("a", ["b": "c"]), Self.pattern("a", ["bc": ""]),
            Self.pattern("a", ["b": "", "c": ""]),
        ]
        #expect(Set(patterns.map(\.canonicalBytes)).count == patterns.count)
    }

    @Test(arguments: [
        (0, 0x726f_db47_dd0e_0e31 as UInt64), (15, 0xa129_ca61_49be_45e5),
        (8, 0x93f5_f579_9a93_2462),
    ])
    func `marks are SipHash`(count: Int, expected: UInt64) {
        let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
        let mark = SuggestionMark((0..<count).map { UInt8($0) }, key: key)
        #expect(mark.rawValue == expected)
        let text = String(decoding: (0..<UInt8(count)).map { $0 }, as: UTF8.self)
        #expect(SuggestionMark(text, key: key).rawValue == expected)
    }

    @Test func `order does not matter, and what is not there is not suggested`() {
        let seed = Seeds.one("suggestion order")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var acts: [Act] = []
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let family = "f\(Int.random(in: 0..<3, using: &random))"
                let at = Self.ago(
                    Int.random(in: 0...60, using: &random),
                    hours: Int.random(in: 0...23, using: &random))
                let one = "\(Int.random(in: 0..<3, using: &random))"
                acts.append(Act(pattern: Self.pattern(family, ["a": one]), at: at))
                acts.append(Act(pattern: Self.pattern(family, ["a": one, "b": "x"]), at: at))
            }
            let ranked = Self.rank(acts)
            let again = Self.rank(acts.shuffled(using: &random))
            #expect(ranked.map(\.pattern) == again.map(\.pattern), "seed \(seed)")
            let scores = ranked.map(\.score)
            #expect(scores == scores.sorted { $0 > $1 }, "seed \(seed)")

            let removed = acts[0].pattern
            let rest = acts.filter { $0.pattern != removed && !$0.pattern.specialises(removed) }
            let shown = Self.rank(rest).map(\.pattern)
            #expect(!shown.contains(removed), "seed \(seed)")
            for view in SuggestionView.allCases {
                let seen = ranked.filter { view.shows($0) }
                #expect(Set(seen.map(\.pattern)).isSubset(of: acts.map(\.pattern)))
            }
        }
    }

    @Test func `F3 surfaces show only what is sure enough`() {
        let once = [Act(pattern: Self.pattern("once"), at: Self.ago(1))]
        let twice = [1, 2].map { Act(pattern: Self.pattern("twice"), at: Self.ago($0)) }
        let weekly = [7, 14].map { Act(pattern: Self.pattern("weekly"), at: Self.ago($0)) }
        let ranked = Self.rank(once + twice + weekly)
        func shown(_ view: SuggestionView) -> Set<String> {
            Set(ranked.filter { view.shows($0) }.map(\.pattern.family))
        }
        #expect(shown(.search) == ["once", "twice", "weekly"])
        #expect(shown(.lockScreen) == ["twice", "weekly"])
        #expect(shown(.watchFace) == ["weekly"])
    }

    @Test func `an occurrence at a place like the present one counts twice`() {
        var ranker = SuggestionRanker(now: Self.now)
        for (mark, atPlace) in [(1, 0), (2, 2)] {
            ranker.add(
                .init(
                    mark: SuggestionMark(rawValue: UInt64(mark)), points: 2, count: 2,
                    countAtPlace: atPlace, latest: Self.now, donation: Int64(mark)))
        }
        #expect(ranker.best.map(\.mark.rawValue) == [2, 1])
        #expect(ranker.best.map(\.points) == [8, 4])
    }

    @Test(arguments: [
        (PredictionGate.predictionEligibility, true, false, true),
        (.predictionEligibility, false, true, false),
        (.requireSearchEligibility, true, false, false),
        (.requireSearchEligibility, true, true, true),
    ])
    func `A5 the gate decides whether search eligibility is needed`(
        gate: PredictionGate, prediction: Bool, search: Bool, admitted: Bool
    ) {
        #expect(
            gate.admits(isEligibleForPrediction: prediction, isEligibleForSearch: search)
                == admitted)
    }
}
