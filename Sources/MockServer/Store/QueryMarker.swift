import CloudModel

/// Where a query goes on: after one record, whatever is deleted meanwhile.
struct QueryMarker: Hashable {
    /// Ties the marker to the query it came from.
    var digest: UInt64
    /// The incarnation of the zone reached.
    var zone: Int64
    /// The place reached in the zone's feed.
    var seq: Int64
    /// The sort key reached; empty for a query without sorts.
    var sortKey: [FieldValue?]
    /// Empty pages already given here.
    var emptyPagesGiven: Int

    init(
        digest: UInt64, zone: Int64 = 0, seq: Int64 = 0, sortKey: [FieldValue?] = [],
        emptyPagesGiven: Int = 0
    ) {
        self.digest = digest
        self.zone = zone
        self.seq = seq
        self.sortKey = sortKey
        self.emptyPagesGiven = emptyPagesGiven
    }

    var text: String {
        var writer = ByteWriter()
        writer.byte(1)
        writer.fixed64(digest)
        writer.signed(zone)
        writer.signed(seq)
        writer.list(sortKey) { writer, value in writer.optional(value) { $0.value($1) } }
        writer.varint(UInt64(emptyPagesGiven))
        return Base64.encode(writer.bytes)
    }

    /// Reads a marker; nil when it is none of ours.
    init?(_ text: String, digest: UInt64) {
        guard let bytes = Base64.decode(text), bytes.first == 1 else { return nil }
        var reader = ByteReader(bytes)
        _ = reader.byte()
        self.digest = reader.fixed64()
        zone = reader.signed()
        seq = reader.signed()
        sortKey = reader.list { $0.optional { $0.value() } }
        emptyPagesGiven = Int(truncatingIfNeeded: reader.varint() & 0xFFFF)
        guard reader.isAtEnd, self.digest == digest else { return nil }
    }

    /// What a query's markers are tied to: all of it but the page's size.
    static func digest(_ query: Query, _ zone: String, _ base: UInt64) -> UInt64 {
        var writer = ByteWriter()
        writer.string(query.recordType)
        writer.string(zone)
        writer.list(query.filters) { $0.filter($1) }
        writer.list(query.sorts) { $0.sort($1) }
        var hash = base
        for byte in writer.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
