import CloudModel
import SQLite

/// Records of one type in the order of a query's sorts, so that a page is read without looking at those
/// before it.
///
/// Made by the first query that needs it, and brought up to date by the next: a record that changes gets
/// a new place in its zone's feed, so what the feed has had since is added, and a place whose record is
/// no longer there is removed when it is met.
final class SortIndex {
    /// A record's place in the order: equal keys stand in the order of zones and of their feeds.
    struct Place: Hashable {
        var key: [UInt8]
        var zone: Int64
        var seq: Int64
    }

    private let number: Int64
    private let connection: Connection
    /// How far the feed of each zone is in the index.
    private var reached: [Int64: Int64] = [:]
    /// The number of the last earlier version of each zone that is in the index.
    private var versionsReached: [Int64: Int64] = [:]
    private(set) var count = 0
    private var countWhenComplete: Int?

    fileprivate init(number: Int64, _ connection: Connection) {
        self.number = number
        self.connection = connection
    }

    /// Whether most of what is in it may be of records that have changed since.
    var isStale: Bool { countWhenComplete.map { count > 2 * $0 + 10_000 } ?? false }

    /// Forgets how much of a zone is in it.
    func leave(_ zone: Int64) {
        reached[zone] = nil
        versionsReached[zone] = nil
    }

    /// The place in a zone's feed up to which records are in the index.
    func reached(in zone: ZoneRow) -> Int64 { reached[zone.incarnation] ?? 0 }

    /// The number of the last earlier version of a zone's records that is in the index.
    func versionsReached(in zone: ZoneRow) -> Int64 { versionsReached[zone.incarnation] ?? 0 }

    /// Adds records of a zone as they were before.
    ///
    /// - Parameter number: That of the last.
    func addVersions(
        _ places: [Place], in zone: ZoneRow, upTo number: Int64
    ) throws(SQLiteError) {
        if !places.isEmpty { try add(places, in: zone, upTo: reached(in: zone)) }
        versionsReached[zone.incarnation] = number
    }

    /// Adds the next records of a zone.
    ///
    /// - Parameter seq: The place in the zone's feed that is reached with them.
    func add(_ places: [Place], in zone: ZoneRow, upTo seq: Int64) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            let insert = try connection.prepare("INSERT OR IGNORE INTO places VALUES (?, ?, ?, ?)")
            for place in places { try run(insert, place) }
        }
        count += places.count
        reached[zone.incarnation] = seq
    }

    /// Notes that all zones are in the index.
    func completed() { countWhenComplete = countWhenComplete ?? count }

    func remove(_ place: Place) throws(SQLiteError) {
        try run(
            try connection.prepare(
                "DELETE FROM places WHERE number = ? AND key = ? AND zone = ? AND seq = ?"), place)
        count -= 1
    }

    private func run(_ statement: Statement, _ place: Place) throws(SQLiteError) {
        statement.bind(1, number)
        statement.bind(2, place.key)
        statement.bind(3, place.zone)
        statement.bind(4, place.seq)
        try statement.run()
    }

    /// The next places, after one or from the beginning.
    func places(after place: Place?, limit: Int) throws(SQLiteError) -> [Place] {
        let statement = try connection.prepare(
            """
            SELECT key, zone, seq FROM places WHERE number = ?1 AND (key, zone, seq) > (?2, ?3, ?4)
            ORDER BY key, zone, seq LIMIT ?5
            """)
        statement.bind(1, number)
        statement.bind(2, place?.key ?? [])
        statement.bind(3, place?.zone ?? 0)
        statement.bind(4, place?.seq ?? 0)
        statement.bind(5, limit)
        defer { statement.reset() }
        var places: [Place] = []
        while try statement.step() {
            places.append(
                Place(
                    key: statement.bytes(at: 0), zone: statement.int64(at: 1),
                    seq: statement.int64(at: 2)))
        }
        return places
    }
}

/// The sort indexes in use, in a database of their own in memory.
struct SortIndexes {
    /// What an index is of.
    struct Key: Hashable {
        let database: Int64
        /// The incarnation of the only zone; nil: all zones.
        let zone: Int64?
        let recordType: String
        let sorts: [Query.Sort]
    }

    private static let indexesMax = 16
    private static let placesMax = 2_000_000

    private var connection: Connection?
    private var indexes: [Key: SortIndex] = [:]
    private var lastNumber: Int64 = 0

    /// The index of a key, empty when it is new. When there are too many, or this one is stale, all
    /// are forgotten first.
    mutating func index(_ key: Key) throws(SQLiteError) -> SortIndex {
        if let known = indexes[key], !known.isStale { return known }
        let count = indexes.values.reduce(0) { $0 + $1.count }
        if indexes[key] != nil || indexes.count >= Self.indexesMax || count > Self.placesMax {
            removeAll()
        }
        let made = SortIndex(number: lastNumber + 1, try opened())
        lastNumber += 1
        indexes[key] = made
        return made
    }

    /// Forgets all indexes: a place in a feed may have another record now.
    mutating func removeAll() {
        indexes.removeAll()
        connection = nil
    }

    private mutating func opened() throws(SQLiteError) -> Connection {
        if let connection { return connection }
        let made = try Connection(.memory)
        try made.execute(
            """
            CREATE TABLE places (
                number INTEGER, key BLOB, zone INTEGER, seq INTEGER,
                PRIMARY KEY (number, key, zone, seq)
            ) WITHOUT ROWID
            """)
        connection = made
        return made
    }
}

extension QueryEvaluator {
    /// What a record is sorted by, as bytes that compare as ``less(_:_:)`` has it.
    func sortKey(of record: StoredRecord) -> [UInt8] {
        var key: [UInt8] = []
        for sort in query.sorts {
            guard let value = sortValue(sort, of: record) else {
                // Records without a value come last, whichever way the others stand.
                key.append(1)
                continue
            }
            key.append(0)
            var part: [UInt8] = []
            part.appendOrdered(value)
            key += sort.ascending ? part : part.map { ~$0 }
        }
        return key
    }

    private func sortValue(_ sort: Query.Sort, of record: StoredRecord) -> FieldValue? {
        let value = value(of: sort.key, in: record)
        guard let centre = sort.relativeLocation else { return value }
        guard case .location(let place) = value else { return nil }
        return .double(place.distance(to: centre))
    }
}

extension [UInt8] {
    /// Values of one kind in an order of bytes; those of a kind that has no order are equal.
    fileprivate mutating func appendOrdered(_ value: FieldValue) {
        switch value {
        case .int64(let number): appendOrdered(number)
        case .timestamp(let moment): appendOrdered(moment.milliseconds)
        case .double(let number):
            // Zero has two patterns; of negative numbers the larger pattern is the smaller number.
            let pattern = number == 0 ? 0 : Int64(bitPattern: number.bitPattern)
            appendOrdered(pattern < 0 ? pattern ^ .max : pattern)
        case .string(let text): appendOrdered(text.utf8)
        case .bytes(let bytes): appendOrdered(bytes)
        case .reference(let target): appendOrdered(target.recordName.utf8)
        case .list, .location, .asset: break
        }
    }

    private mutating func appendOrdered(_ number: Int64) {
        let ordered = UInt64(bitPattern: number) ^ 1 << 63
        for shift in stride(from: 56, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: ordered >> shift))
        }
    }

    /// Bytes that no longer ones begin with: a zero is doubled by 0xFF, two zeros end them.
    private mutating func appendOrdered(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            append(byte)
            if byte == 0 { append(0xFF) }
        }
        append(0)
        append(0)
    }
}
