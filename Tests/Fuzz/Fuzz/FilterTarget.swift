import Basics
import CloudModel
import CloudWire
import InProcessMock
import MockStore

/// Filters and sorts: bodies of `records/query` against a store that is not empty. Pages are what one
/// answer would be; several filters find what each of them finds; and what can be said plainly of one
/// filter or sort holds.
///
/// The first byte says how many records a page has.
func fuzzFilters(_ input: [UInt8]) {
    guard let first = input.first else { return }
    FilterService.shared.ask(Array(input.dropFirst()), limit: Int(first % 5) + 2)
}

/// A service with one zone full of records.
private final class FilterService: @unchecked Sendable {
    // Holds: libFuzzer calls on one thread.
    static let shared = FilterService()

    private static let count = 16
    /// Filters of a query that are looked at by themselves.
    private static let filtersMax = 4
    private let cloud: MockCloud
    private let address: Database.Address
    private let zone = RecordZone.ID("Z")
    private var records: [String: Record] = [:]
    private var writer = ReplyWriter { "00000000-0000-4000-8000-000000000000" }

    init() {
        guard let container = Container.ID("iCloud.com.example.app") else { preconditionFailure() }
        address = Database.Address(
            container: container, environment: .development, scope: .private)
        do {
            cloud = try MockCloud(
                clock: WallClock { Timestamp(milliseconds: 1_770_000_000_000) }, users: ["ann"])
            _ = try cloud.perform(
                .write(.modifyZones([.create(zone)])), at: address, by: .user("ann"))
            var generator = SeededGenerator(seed: 1)
            let operations = (0..<Self.count).map { number in
                RecordOperation(
                    .create, recordName: "r\(number)", recordType: "T",
                    fields: Self.fields(&generator),
                    parent: number % 5 == 4 ? Record.Reference("r\(number - 1)") : nil)
            }
            let reply = try cloud.perform(
                .write(
                    .modifyRecords(RecordModifyRequest(operations: operations, zoneID: zone))),
                at: address, by: .user("ann"))
            guard case .records(let made) = reply else { preconditionFailure("no records") }
            for case .record(let record) in made.records {
                records[record.id.recordName] = record
            }
        } catch { preconditionFailure("the service does not start: \(error)") }
        precondition(records.count == Self.count, "a record is not made")
    }

    private static func fields(_ generator: inout SeededGenerator) -> [String: Field?] {
        func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
        let texts = ["", "a", "ab", "a b", "ä", "b\u{0}", "two words", "\u{1F33F}"]
        let doubles: [Double] = [-1e300, -1.5, -0.0, 0, 1, 1.5, 1e300, 9_007_199_254_740_992]
        let numbers: [Int64] = [.min, -1, 0, 1, 2, .max, 9_007_199_254_740_993]
        let all: [(String, FieldValue)] = [
            ("n", .int64(numbers[below(7)])), ("d", .double(doubles[below(8)])),
            ("t", .string(texts[below(8)])),
            ("m", .timestamp(Timestamp(milliseconds: Int64(below(4))))),
            ("b", .bytes([UInt8(below(3)), 0])),
            ("r", .reference(Record.Reference("r\(below(4))"))),
            ("l", .location(Location(latitude: Double(below(3)), longitude: Double(below(3))))),
            ("ns", .list(.int64, (0..<below(3)).map { .int64(numbers[$0]) })),
            ("ts", .list(.string, (0..<below(3)).map { .string(texts[$0 + 1]) })),
        ]
        var fields: [String: Field?] = [:]
        for (name, value) in all where below(4) > 0 { fields[name] = Field(value) }
        return fields
    }

    // MARK: - Queries

    func ask(_ body: [UInt8], limit: Int) {
        let route = WireRoute(address: address, operation: .queryRecords)
        guard let (command, options) = try? CommandDecoder().decode(route, body: body),
            case .read(.queryRecords(let request)) = command
        else { return }
        let again = WireRequest(command, at: address)
        precondition(
            (try? CommandDecoder().decode(route, body: again.body).command) == command,
            "what we write is read as something else")
        // As it was asked, whatever zone and marker it names.
        if let page = page(request) {
            let answer = writer.write(
                .recordPage(page), to: .queryRecords, caller: "_c", options: options)
            precondition(
                (try? ReplyReader.read(answer.body, status: answer.status, to: command)) != nil,
                "what we answer cannot be read")
        }
        guard let all = names(request.query, limit: 200) else { return }
        precondition(Set(all).count == all.count, "a record comes twice")
        precondition(names(request.query, limit: limit) == all, "pages are something else")
        var unsorted = request.query
        unsorted.sorts = []
        precondition(
            names(unsorted, limit: 200).map { Set($0) } == Set(all), "sorts change what is found")
        guard request.query.recordType == "T" else { return }
        check(request.query, all)
    }

    private func check(_ query: Query, _ all: [String]) {
        var left = Set(records.keys)
        for filter in query.filters.prefix(Self.filtersMax) {
            guard let found = names(Query(recordType: "T", filters: [filter]), limit: 200) else {
                preconditionFailure("a filter is refused when it is alone")
            }
            left.formIntersection(found)
            for (name, record) in records {
                guard let holds = holds(filter, record) else { continue }
                precondition(holds == found.contains(name), "a filter finds more or less")
            }
        }
        if query.filters.count <= Self.filtersMax {
            precondition(left == Set(all), "filters do not all hold")
        }
        guard case .field(let name)? = query.sorts.first?.key,
            query.sorts.first?.relativeLocation == nil
        else { return }
        let values = all.map { records[$0]?.fields[name]?.value }
        for (left, right) in zip(values, values.dropFirst()) {
            let isWrong =
                query.sorts[0].ascending ? isLess(right, left) : isLess(left, right)
            // Records without a value come last.
            precondition(isWrong != true && (left != nil || right == nil), "the order is wrong")
        }
    }

    /// Whether a record fits a filter; nil where that is not plain.
    private func holds(_ filter: Query.Filter, _ record: Record) -> Bool? {
        guard case .field(let name) = filter.key else { return nil }
        let value = record.fields[name]?.value
        let isLess = isLess(value, filter.value)
        let isMore = self.isLess(filter.value, value)
        switch filter.comparator {
        case .lessThan: return value == nil ? false : isLess
        case .greaterThan: return value == nil ? false : isMore
        case .lessThanOrEquals: return value == nil ? false : isMore.map { !$0 }
        case .greaterThanOrEquals: return value == nil ? false : isLess.map { !$0 }
        case .equals:
            guard let isLess, let isMore else { return value == nil ? false : nil }
            return !isLess && !isMore
        case .notEquals:
            guard let isLess, let isMore else { return value == nil ? true : nil }
            return isLess || isMore
        case .beginsWith, .notBeginsWith:
            guard case .string(let text) = value, case .string(let start) = filter.value else {
                return nil
            }
            return text.utf8.starts(with: start.utf8) == (filter.comparator == .beginsWith)
        case .listContains, .notListContains:
            guard case .list(let kind, let elements) = value, kind == filter.value.kind else {
                return nil
            }
            return elements.contains(filter.value) == (filter.comparator == .listContains)
        default: return nil
        }
    }

    /// Whether one value is less than another; nil where they are not of one kind that has an order.
    private func isLess(_ left: FieldValue?, _ right: FieldValue?) -> Bool? {
        switch (left, right) {
        case (.int64(let left), .int64(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.timestamp(let left), .timestamp(let right)): left < right
        case (.string(let left), .string(let right)):
            Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
        default: nil
        }
    }

    /// The names that a query finds, page by page; nil where it is refused.
    private func names(_ query: Query, limit: Int) -> [String]? {
        var request = RecordQueryRequest(query: query, zoneID: zone, limit: limit)
        var names: [String] = []
        for _ in 0..<1_000 {
            guard let page = page(request) else {
                precondition(request.continuationMarker == nil, "a later page is refused")
                return nil
            }
            precondition(page.records.count <= limit, "a page has too many records")
            names += page.records.map(\.recordName)
            request.continuationMarker = page.continuationMarker
            if page.continuationMarker == nil { return names }
        }
        preconditionFailure("the query does not end")
    }

    private func page(_ request: RecordQueryRequest) -> RecordPage? {
        do throws(CloudError) {
            guard
                case .recordPage(let page) = try cloud.perform(
                    .read(.queryRecords(request)), at: address, by: .user("ann"))
            else { preconditionFailure("another answer") }
            return page
        } catch {
            precondition(error.code != .internalError, "the store fails: \(error)")
            return nil
        }
    }
}
