import CloudModel

/// Where a query goes on: after one record, whatever is deleted meanwhile.
struct QueryMarker: Hashable {
    /// Ties the marker to the query it came from.
    var digest: UInt64
    /// The record reached, with an empty key in a query without sorts; nil at the beginning.
    var place: SortIndex.Place?

    init(digest: UInt64, place: SortIndex.Place? = nil) {
        self.digest = digest
        self.place = place
    }

    /// Where a query without sorts goes on.
    init(_ digest: UInt64, _ zone: ZoneRow, _ seq: Int64) {
        self.init(
            digest: digest, place: SortIndex.Place(key: [], zone: zone.incarnation, seq: seq))
    }

    var text: String {
        var writer = ByteWriter()
        writer.byte(2)
        writer.fixed64(digest)
        writer.optional(place) { writer, place in
            writer.blob(place.key)
            writer.signed(place.zone)
            writer.signed(place.seq)
        }
        return Base64.encode(writer.bytes)
    }

    /// Reads a marker; nil when it is none of ours.
    init?(_ text: String, digest: UInt64) {
        guard let bytes = Base64.decode(text), bytes.first == 2 else { return nil }
        var reader = ByteReader(bytes)
        _ = reader.byte()
        self.digest = reader.fixed64()
        place = reader.optional {
            SortIndex.Place(key: $0.blob(), zone: $0.signed(), seq: $0.signed())
        }
        guard reader.isAtEnd, self.digest == digest else { return nil }
    }

    /// What a query's markers are tied to: all of it but the page's size.
    static func digest(_ query: Query, _ zone: String, _ base: UInt64) -> UInt64 {
        var writer = ByteWriter()
        writer.string(query.recordType)
        writer.string(zone)
        writer.list(query.filters) { $0.filter($1) }
        writer.list(query.sorts) { $0.sort($1) }
        var hash = FNV1a(from: base)
        hash.add(writer.bytes)
        return hash.value
    }
}
