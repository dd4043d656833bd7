import CloudModel

/// How large records are, as far as limits go.
struct RecordSize: Sendable {
    /// What counts natively: the values without their wrapping.
    private(set) var values = 0
    /// An upper bound of what goes over the wire.
    private(set) var wire = 256

    /// The bytes of one native operation without its assets.
    static let valuesMax = 2 << 20
    /// The bytes of one request of the web services, less its frame.
    static let wireMax = (2 << 20) - 4096
    /// What a deletion takes on the wire at most.
    static let deletion = 1024

    init(_ operation: RecordOperation) {
        addText(operation.recordName ?? "")
        addText(operation.recordType ?? "")
        addText(operation.recordChangeTag ?? "")
        if let parent = operation.parent { add(parent) }
        values = 0
        for (name, field) in operation.fields {
            wire += name.utf8.count + 64
            if let value = field?.value { add(value) }
        }
    }

    private mutating func add(_ value: FieldValue) {
        switch value {
        case .string(let text): addText(text)
        case .bytes(let bytes):
            values += bytes.count
            wire += bytes.count / 3 * 4 + 4
        case .list(_, let elements):
            wire += elements.count
            for element in elements { add(element) }
        case .int64, .double, .timestamp:
            values += 8
            wire += 32
        case .location:
            values += 16
            wire += 400
        case .reference(let target): add(target)
        case .asset: wire += 1200
        }
    }

    private mutating func add(_ target: Record.Reference) {
        addText(target.recordName)
        addText(target.zoneID?.zoneName ?? "")
        addText(target.zoneID?.ownerRecordName ?? "")
        wire += 120
    }

    /// A control character takes six bytes, quotes, strokes and backslashes two.
    private mutating func addText(_ text: String) {
        let count = text.utf8.count
        values += count
        wire += text.utf8.reduce(count) { sum, byte in
            switch byte {
            case 0..<0x20: sum + 5
            case 0x22, 0x2F, 0x5C: sum + 1
            default: sum
            }
        }
    }
}

extension CKDatabase {
    /// - Throws: `limitExceeded` for more bytes than an operation can have.
    static func checkSize(_ items: [RecordWorkItem]) throws(CKError) {
        let bytes = items.reduce(0) { $0 + ($1.size?.values ?? 0) }
        guard bytes <= RecordSize.valuesMax else {
            throw CKError(
                .limitExceeded,
                "the operation's records have \(bytes) bytes; the maximum is "
                    + "\(RecordSize.valuesMax)")
        }
    }

    /// Items as requests can take them, by number and by size, in their order.
    static func parts(_ indices: [Int], of items: [RecordWorkItem]) -> [[Int]] {
        var parts: [[Int]] = []
        var part: [Int] = []
        var bytes = 0
        for index in indices {
            let size = items[index].size?.wire ?? RecordSize.deletion
            if part.count == itemsPerRequest || !part.isEmpty && bytes + size > RecordSize.wireMax {
                parts.append(part)
                (part, bytes) = ([], 0)
            }
            part.append(index)
            bytes += size
        }
        return part.isEmpty ? parts : parts + [part]
    }
}
