import Basics
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
        var (written, coder) = (self, RowCoder())
        written.code(&coder)
        return Base64.encode(coder.bytes)
    }

    /// Reads a marker; nil when it is none of ours, or of another query.
    init?(_ text: String, digest: UInt64) {
        guard let bytes = Base64.decode(text) else { return nil }
        self.init(digest: digest)
        var coder = RowCoder(reading: bytes)
        code(&coder)
        guard coder.isAtEnd, self.digest == digest else { return nil }
    }

    private mutating func code(_ coder: inout RowCoder) {
        coder.version(3)
        coder.fixed(&digest)
        let digest = digest
        coder.optional(&place, SortIndex.Place(key: [], zone: 0, seq: 0)) { coder, place in
            coder.signed(&place.zone)
            coder.signed(&place.seq)
            // The record reached may be one that the caller must not see.
            var mask = ByteMask(seed: digest ^ UInt64(bitPattern: place.zone &+ place.seq << 32))
            coder.masked({ mask($0) }) { $0.blob(&place.key) }
        }
    }

    /// What a query's markers are tied to: all of it but the page's size.
    static func digest(_ query: Query, _ zone: String, _ base: UInt64) -> UInt64 {
        var (query, zone, coder) = (query, zone, RowCoder())
        coder.query(&query)
        coder.string(&zone)
        var hash = FNV1a(from: base)
        hash.add(coder.bytes)
        return hash.value
    }
}
