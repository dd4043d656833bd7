import Basics
import DonationStore
import Donations
import RandomSeeds
import Testing

/// Suggestions from the store, beside the ranker over all that was done.
struct SuggestionTests {
    /// Thursday, 2026-11-19T12:00:00Z.
    static let now = Timestamp(milliseconds: 1_795_089_600_000)

    static func store(
        requiresSearch: Bool = false
    ) throws -> DonationStore {
        var configuration = DonationConfiguration(
            bundleIdentifier: "com.example.soup", directory: "", clock: .fixed(now))
        configuration.requiresSearchEligibilityForPrediction = requiresSearch
        return try DonationStore(configuration: configuration)
    }

    static func ago(days: Int, hours: Int = 0) -> Timestamp {
        now.advanced(by: .seconds(-86_400 * days - 3600 * hours))
    }

    static func order(
        _ identifier: String, soup: String, size: String? = nil, at: Timestamp
    ) -> Donation {
        var row = Donation(.interaction, identifier: identifier, type: "OrderIntent", at: at)
        var parameters: [String: PayloadValue] = ["soup": .string(soup)]
        if let size { parameters["size"] = .string(size) }
        row.group = soup
        row.title = soup + (size.map { " \($0)" } ?? "")
        row.predictionKey = Donation.predictionKey(
            parameters: parameters, combinations: [["soup"], ["soup", "size"]])
        return row
    }

    static func view(
        _ name: String, at: Timestamp, eligibility: Donation.Eligibility = [.prediction, .search]
    ) -> Donation {
        var row = Donation(.activity, type: "com.example.soup.view", at: at)
        row.persistentIdentifier = name
        row.title = name
        row.eligibility = eligibility
        row.predictionKey = PayloadValue.dictionary(["soup": .string(name)]).encoded
        return row
    }

    static func titles(
        _ store: DonationStore, at moment: Timestamp = now, view: SuggestionView = .search
    ) async throws -> [String] {
        try await store.suggestions(SuggestionRequest(now: moment, view: view, limit: 64))
            .map { $0.title ?? "-" }
    }

    @Test func `what was done at this time comes first, what was done last after it`()
        async throws
    {
        let store = try Self.store()
        _ = try await store.store([
            Self.view("leek", at: Self.ago(days: 3)), Self.view("leek", at: Self.ago(days: 2)),
            Self.order("1", soup: "tomato", at: Self.ago(days: 7)),
            Self.view("late", at: Self.ago(days: 1, hours: 5)),
        ])
        #expect(try await Self.titles(store) == ["leek", "tomato", "late"])
        #expect(try await Self.titles(store, view: .lockScreen) == ["leek"])
        #expect(try await Self.titles(store, view: .watchFace) == [])
        let night = Self.now.advanced(by: .seconds(-5 * 3600))
        #expect(try await Self.titles(store, at: night).first == "late")
    }

    @Test func `the more specific combination takes the place of the general one`() async throws {
        let store = try Self.store()
        for day in 1...4 {
            let size = day < 4 ? "large" : "small"
            _ = try await store.store([
                Self.order("\(day)", soup: "tomato", size: size, at: Self.ago(days: day))
            ])
        }
        #expect(try await Self.titles(store).first == "tomato large")
        for day in 5...9 {
            _ = try await store.store([
                Self.order("\(day)", soup: "tomato", size: "\(day)", at: Self.ago(days: day))
            ])
        }
        // Now no size holds half of it: the latest donation stands for the soup.
        let found = try await store.suggestions(SuggestionRequest(now: Self.now))
        #expect(found.count == 1 && found[0].sameTime == 9)
    }

    @Test func `the latest donation of an hour stands for it, of the same time the first`()
        async throws
    {
        let store = try Self.store()
        _ = try await store.store([
            Self.order("early", soup: "leek", at: Self.ago(days: 7)),
            Self.order("first", soup: "leek", at: Self.ago(days: 0)),
            Self.order("second", soup: "leek", at: Self.ago(days: 0)),
            Self.order("other", soup: "miso", at: Self.ago(days: 7)),
        ])
        let found = try await store.suggestions(SuggestionRequest(now: Self.now))
        #expect(found.map(\.identifier) == ["first", "other"])
        #expect(found.map(\.sameTimeAndDay) == [3, 1])
    }

    @Test func `A5 the store can ask for search eligibility`() async throws {
        for requiresSearch in [false, true] {
            let store = try Self.store(requiresSearch: requiresSearch)
            _ = try await store.store([
                Self.view("both", at: Self.ago(days: 1)),
                Self.view("alone", at: Self.ago(days: 1), eligibility: .prediction),
                Self.view("none", at: Self.ago(days: 1), eligibility: .search),
            ])
            let titles = Set(try await Self.titles(store))
            #expect(titles == (requiresSearch ? ["both"] : ["both", "alone"]))
        }
    }

    @Test func `F60 what is past its time or suspended is not counted`() async throws {
        let store = try Self.store()
        var expired = Self.view("gone", at: Self.ago(days: 1))
        expired.expiration = Self.ago(days: 0, hours: 1)
        var linked = Self.order("1", soup: "tomato", at: Self.ago(days: 1))
        linked.link = ContentLink(container: "iCloud.com.example.soup")
        _ = try await store.store([
            linked, Self.order("2", soup: "tomato", at: Self.ago(days: 2)),
            Self.view("leek", at: Self.ago(days: 1)),
        ])
        _ = try await store.store([expired])
        let before = try await store.suggestions(SuggestionRequest(now: Self.now))
        #expect(before.map(\.title) == ["tomato", "leek"] && before[0].sameTime == 2)
        try await store.restrict(container: "iCloud.com.example.soup")
        let during = try await store.suggestions(SuggestionRequest(now: Self.now))
        #expect(during.map(\.title) == ["leek", "tomato"] && during[1].sameTime == 1)
        try await store.unrestrict(container: "iCloud.com.example.soup")
        #expect(try await store.suggestions(SuggestionRequest(now: Self.now)) == before)
    }

    /// What the ranker says of everything that is alive.
    private static func reference(_ rows: [Donation]) -> [RankedSuggestion] {
        var ranker = SuggestionRanker(now: now)
        var patterns: [SuggestionMark: SuggestionPattern] = [:]
        for row in rows {
            let points = SuggestionSlot(now).points(for: SuggestionSlot(row.begin))
            for pattern in row.suggestionPatterns {
                let mark = SuggestionMark(pattern, key: (1, 2))
                patterns[mark] = pattern
                ranker.add(
                    .init(
                        mark: mark, points: points, count: 1, countAtPlace: 0, latest: row.begin,
                        donation: row.row))
            }
        }
        return ranker.ranked(
            ranker.best.compactMap { candidate in
                patterns[candidate.mark].map { (candidate, $0) }
            })
    }

    @Test func `F2 a deleted donation is never suggested, and the store agrees with the ranker`()
        async throws
    {
        let seed = Seeds.one("suggestions")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let store = try Self.store()
            var alive: [Donation] = []
            for step in 0..<40 {
                let at = Self.ago(
                    days: Int.random(in: 0...40, using: &random),
                    hours: Int.random(in: 0...2, using: &random))
                let name = ["leek", "tomato", "miso"][Int.random(in: 0..<3, using: &random)]
                let row =
                    Bool.random(using: &random)
                    ? Self.view(name, at: at)
                    : Self.order(
                        "\(step)", soup: name,
                        size: [nil, "large", "small"][Int.random(in: 0..<3, using: &random)],
                        at: at)
                _ = try await store.store([row])
                if step % 7 == 6 {
                    let selectors: [DonationSelector] = [
                        .interactionGroup(name), .activities(persistentIdentifiers: [name]),
                        .interactions(identifiers: ["\(step - 1)", "\(step - 2)"]),
                        .allInteractions, .allActivities,
                    ]
                    let selector = selectors[Int.random(in: 0..<selectors.count, using: &random)]
                    _ = try await store.delete(selector)
                }
                alive = try await store.list(.interaction) + store.list(.activity)
            }
            let found = try await store.suggestions(
                SuggestionRequest(now: Self.now, limit: 64))
            let live = Set(alive.map { [$0.kind.rawValue, "\($0.row)"] })
            #expect(
                found.allSatisfy { live.contains([$0.kind.rawValue, "\($0.donation.row)"]) },
                "seed \(seed)")
            // Rows without a point are only there when they are among the latest.
            let expected = Self.reference(alive).filter { $0.score > 0 }
            let scored = found.filter { $0.score > 0 }
            #expect(
                scored.map(\.score) == expected.map(\.score), "seed \(seed)")
            #expect(
                scored.map(\.sameTime) == expected.map(\.candidate.sameTime), "seed \(seed)")
            for view in SuggestionView.allCases {
                let seen = try await store.suggestions(
                    SuggestionRequest(now: Self.now, view: view, limit: 64))
                #expect(Set(seen).isSubset(of: found), "seed \(seed)")
            }
        }
    }
}
