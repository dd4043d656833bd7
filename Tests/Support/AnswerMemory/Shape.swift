import CloudModel
import CloudWire

/// A kind of answer that costs as much as it can.
enum Shape: String, CaseIterable {
    /// Two bytes a value.
    case numbers
    case brackets
    /// One object with keys enough to be sorted.
    case keys
    /// Bytes enough, and little else.
    case strings
    case escapes
    /// Answers that are taken: as much as the limits let through.
    case zones
    case records
    case lists
    /// More zones than one answer may have.
    case tooManyZones

    var command: CloudCommand {
        switch self {
        case .numbers, .brackets, .keys, .zones, .tooManyZones: .read(.listZones(token: nil))
        case .strings, .escapes, .records, .lists:
            .read(.queryRecords(RecordQueryRequest(query: Query(recordType: "Note"))))
        }
    }

    /// The answer, nearly as long as one may be or with nearly as many marks.
    var body: [UInt8] {
        switch self {
        case .numbers: text(#"{"zones":["#, "0,", "0]}")
        case .brackets: text(#"{"zones":["#, "[],", "[]]}")
        case .keys:
            // Long enough for their marks to be let through.
            text("{", #""zones":0}"#) { #""\#(String(repeating: "k", count: 70))\#($0)":0,"# }
        case .strings: records(#"{"f":{"value":"\#(String(repeating: "x", count: 80_000))"}}"#)
        case .escapes: records(#"{"f":{"value":"\#(String(repeating: "\\n", count: 40_000))"}}"#)
        case .zones: zones(20_000)
        case .tooManyZones: zones(33_000)
        case .records: records(#"{"f":{"value":"\#(String(repeating: "x", count: 500))"}}"#)
        case .lists:
            records(
                #"{"f":{"value":[\#(String(repeating: "0,", count: 2400))0],"type":"INT64_LIST"}}"#)
        }
    }

    private func text(_ start: String, _ piece: String, _ end: String) -> [UInt8] {
        text(start, end) { _ in piece }
    }

    private func text(_ start: String, _ end: String, _ piece: (Int) -> String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(WireLimits.responseBytesMax)
        bytes += start.utf8
        var number = 0
        while bytes.count < WireLimits.responseBytesMax - 100 {
            bytes += piece(number).utf8
            number += 1
        }
        bytes += end.utf8
        return bytes
    }

    private func zones(_ count: Int) -> [UInt8] {
        items("zones", count) { number in
            #"{"zoneID":{"zoneName":"a zone with a long name, number \#(number)","#
                + #""ownerRecordName":"_3f0c7b1e9a2d4c58b6e1f0a9d8c7b6a5","#
                + #""zoneType":"REGULAR_CUSTOM_ZONE"},"syncToken":"AQAAAAAAAAASf/////////8=","#
                + #""atomic":true}"#
        }
    }

    private func records(_ fields: String) -> [UInt8] {
        items("records", 200) { number in
            #"{"recordName":"r\#(number)","recordType":"Note","fields":\#(fields)}"#
        }
    }

    private func items(_ key: String, _ count: Int, _ item: (Int) -> String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(WireLimits.responseBytesMax)
        bytes += #"{"\#(key)":["#.utf8
        for number in 0..<count {
            if number > 0 { bytes.append(0x2C) }
            bytes += item(number).utf8
        }
        bytes += "]}".utf8
        return bytes
    }
}
