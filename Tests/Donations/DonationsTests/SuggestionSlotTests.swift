import Basics
import Donations
import Testing

struct SuggestionSlotTests {
    static let moments: [(Int64, Int, Int, Int)] = [
        (0, 0, 4, 0), (-1, 0, 3, 23), (1_768_465_800_000, 0, 4, 8),
        (1_768_465_800_000, 3600 * 16, 5, 0), (1_768_465_800_000, -3600 * 9, 3, 23),
        (3 * 86_400_000, 0, 0, 0), (2 * 86_400_000 + 86_399_999, 0, 6, 23),
    ]

    @Test(arguments: moments)
    func `a moment has its hour of the week`(
        milliseconds: Int64, offset: Int, weekday: Int, hour: Int
    ) {
        let slot = SuggestionSlot(
            Timestamp(milliseconds: milliseconds), secondsFromGMT: offset)
        #expect(slot.weekday == weekday && slot.hour == hour)
    }

    @Test(arguments: [Int64.min, .max])
    func `the ends of time have one too`(milliseconds: Int64) {
        let moment = Timestamp(milliseconds: milliseconds)
        for offset in [-86_400, 0, 86_400] {
            let slot = SuggestionSlot(moment, secondsFromGMT: offset)
            #expect((0..<SuggestionSlot.count).contains(slot.index))
        }
    }

    @Test(arguments: [
        (9, 9, 4), (9, 10, 4), (9, 11, 0), (0, 23, 4), (23, 22, 4), (12, 36, 2), (12, 38, 0),
        (0, 167, 2), (23, 24, 2),
    ])
    func `near hours give points, around midnight too`(one: Int, other: Int, points: Int) {
        let left = SuggestionSlot(index: one)
        let right = SuggestionSlot(index: other)
        #expect(left.points(for: right) == points)
        #expect(right.points(for: left) == points)
    }

    @Test func `the neighbourhood is what gives points, each slot once`() {
        for index in 0..<SuggestionSlot.count {
            let slot = SuggestionSlot(index: index)
            var points = [Int](repeating: 0, count: SuggestionSlot.count)
            for part in slot.neighbourhood {
                for other in part.range { points[other] += part.points }
            }
            let expected = (0..<SuggestionSlot.count).map {
                slot.points(for: SuggestionSlot(index: $0))
            }
            #expect(points == expected)
        }
    }

    @Test(arguments: [
        (-13 * 3600, 0), (-12 * 3600, 0), (-6 * 3600, 500), (0, 1000), (1800, 1000),
        (3600, 1000), (3601, 1000), (3600 + 1800, 500), (3600 + 3600, 250),
        (3600 + 86_400, 0),
    ])
    func `relevance rises to a date and falls after it`(seconds: Int, expected: Int) {
        let start = Timestamp(milliseconds: 1_768_465_800_000)
        let relevance = SuggestionRelevance([
            .date(start: start, end: start.advanced(by: .seconds(3600)))
        ])
        let now = start.advanced(by: .seconds(seconds))
        #expect(relevance.value(in: .init(now: now)) == expected)
    }

    @Test func `several providers are intersected`() {
        let start = Timestamp(milliseconds: 1_768_465_800_000)
        let relevance = SuggestionRelevance([
            .date(start: start, end: nil), .place("home"), .routine(.morning),
        ])
        #expect(relevance.value(in: .init(now: start)) == 0)
        #expect(relevance.value(in: .init(now: start, places: ["home", "park"])) == 1000)
        #expect(
            relevance.value(in: .init(now: start, secondsFromGMT: 36_000, places: ["home"])) == 0)
        #expect(SuggestionRelevance([]).value(in: .init(now: start)) == 1)
        #expect(
            SuggestionRelevance([.routine(.gym)]).value(in: .init(now: start, routines: [.gym]))
                == 1000)
    }
}
