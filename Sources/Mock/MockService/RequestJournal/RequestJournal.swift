package import Basics
package import CloudModel
import MockFaults

/// The last requests, bounded by count and by bytes; the oldest go first.
package struct RequestJournal: Sendable {
    /// One request and how it was answered.
    package struct Entry: RecentElement, Hashable {
        /// Counted from 1 over the life of the server.
        package var number: Int = 0
        package var time: Timestamp
        package var method: String
        /// The operation, such as `zones/modify`; the path if it leads to none.
        package var operation: String
        package var container: String?
        package var environment: Container.Environment?
        package var scope: Database.Scope?
        /// A user's name, or a key's first digits; nil: no caller.
        package var user: String?
        /// The user's device, where one is named.
        package var device: String?
        /// The zones named, at most ``zonesMax``.
        package var zones: [String] = []
        /// The record types named, at most ``zonesMax``.
        package var recordTypes: [String] = []
        /// Items in the request.
        package var items = 0
        package var status: Int
        /// How many items of the answer went well.
        package var fine = 0
        /// How many items of the answer had each error code.
        package var codes: [String: Int] = [:]
        /// Why the request failed as a whole; nil when it did not.
        package private(set) var failure: Failure?
        /// Why items failed, the first of them: at most ``failuresMax``.
        package private(set) var failures: [ItemFailure] = []
        /// The faults that fired.
        package var faults: [String] = []
        /// The UUID of an answer that says why the request failed as a whole.
        package var uuid: String?
        package var requestBytes = 0
        package var replyBytes = 0
        /// From the request's arrival to its answer being ready, held back or not.
        package var microseconds: Int64 = 0

        /// Zones kept of one request.
        package static let zonesMax = 20
        /// Failed items kept of one request.
        package static let failuresMax = 20
        /// Characters kept of a name or a reason.
        static let textMax = 300

        /// A code of the service, and its reason.
        package struct Failure: Sendable, Hashable {
            package let code: String
            package let reason: String
            /// What refused it; nil: unknown.
            package let cause: CloudError.Cause?

            var size: Int {
                switch cause {
                case .rule(let name, let facts):
                    64 + reason.utf8.count + name.description.utf8.count + facts.utf8.count
                case .fault(let id): 64 + reason.utf8.count + id.utf8.count
                case nil: 64 + reason.utf8.count
                }
            }
        }

        /// A failed item: the name of a record, zone or subscription, and why.
        package struct ItemFailure: Sendable, Hashable {
            package let name: String
            package let why: Failure
        }

        /// Notes why the whole request failed.
        package mutating func note(_ error: CloudError) { failure = Self.failure(error) }

        /// Notes the outcome of the items.
        package mutating func note(_ count: Int, _ failed: [(name: String, error: CloudError)]) {
            fine = count - failed.count
            codes = failed.reduce(into: [:]) { $0[$1.error.code.rawValue, default: 0] += 1 }
            failures = failed.prefix(Self.failuresMax).map { item in
                ItemFailure(
                    name: String(item.name.prefix(Self.textMax)), why: Self.failure(item.error))
            }
        }

        private static func failure(_ error: CloudError) -> Failure {
            var cause = error.cause
            if case .rule(let name, let facts) = cause {
                cause = .rule(name, facts: String(facts.prefix(textMax)))
            }
            return Failure(
                code: error.code.rawValue, reason: String(error.reason.prefix(textMax)),
                cause: cause)
        }

        package init(time: Timestamp, method: String, operation: String, status: Int) {
            self.time = time
            self.method = method
            self.operation = operation
            self.status = status
        }

        /// About how much memory the entry takes, in bytes.
        package var size: Int {
            var size = 200 + operation.utf8.count + method.utf8.count
            size += (container?.utf8.count ?? 0) + (user?.utf8.count ?? 0)
            size += device?.utf8.count ?? 0
            for name in zones + recordTypes { size += 16 + name.utf8.count }
            for fault in faults { size += 16 + fault.utf8.count }
            if let failure { size += failure.size }
            if let uuid { size += uuid.utf8.count }
            for item in failures { size += 32 + item.name.utf8.count + item.why.size }
            return size + codes.count * 64
        }
    }

    /// Which entries to show.
    package struct Filter: Sendable, Hashable {
        package var pattern = RequestPattern()
        /// Only entries with a greater number.
        package var after = 0
        /// The maximum number, the oldest first.
        package var limit = 1000
        package static let limitMax = 10_000
        /// Only this many of the newest that match; the oldest of them first.
        package var last: Int?

        package init() {}

        func fits(_ entry: Entry) -> Bool {
            entry.number > after && pattern.matches(entry)
        }
    }

    private var recent: RecentList<Entry>

    /// - Precondition: both bounds are positive.
    package init(entriesMax: Int, bytesMax: Int) {
        recent = RecentList(countMax: entriesMax, bytesMax: bytesMax)
    }

    package var bytes: Int { recent.bytes }
    package var count: Int { recent.count }
    /// Requests seen in all.
    package var total: Int { recent.total }
    /// Entries that had to go.
    package var dropped: Int { recent.dropped }

    /// Numbers the entry and keeps it.
    package mutating func append(_ entry: Entry) {
        var entry = entry
        entry.number = recent.total + 1
        recent.append(entry)
    }

    /// The entry of a request; nil where it is not kept.
    package func entry(_ number: Int) -> Entry? { recent[number] }

    /// Whether no entry after one had to go; those that were forgotten as asked for do not count.
    package func isComplete(after number: Int) -> Bool {
        dropped == 0 || recent.numbers.lowerBound <= number + 1
    }

    /// The entries that fit, the oldest first.
    package func entries(_ filter: Filter = Filter()) -> [Entry] {
        var found: [Entry] = []
        if let last = filter.last {
            for number in recent.numbers.reversed() where found.count < last {
                if let entry = recent[number], filter.fits(entry) { found.append(entry) }
            }
            return found.reversed()
        }
        for number in recent.numbers where found.count < filter.limit {
            if let entry = recent[number], filter.fits(entry) { found.append(entry) }
        }
        return found
    }

    /// How many entries fit, whatever the filter's limit.
    package func count(_ filter: Filter) -> Int {
        recent.numbers.count { recent[$0].map(filter.fits) ?? false }
    }

    /// Discards all entries; the numbers continue.
    package mutating func clear() { recent.clear() }
}
