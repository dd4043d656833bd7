import Basics
import CloudModel

/// Field values and what they consist of.
extension RowCoder {
    private static let listFlag: UInt8 = 0x80

    /// A value of each kind; a kind's code in a row is its place here, from 1 on.
    private static let empty: [FieldValue] = [
        .string(""), .int64(0), .double(0), .bytes([]), .timestamp(Timestamp(milliseconds: 0)),
        .location(Location(latitude: 0, longitude: 0)), .reference(Record.Reference("")),
        .asset(Asset(fileChecksum: "", size: 0)),
    ]

    mutating func value(_ value: inout FieldValue) {
        var code: UInt8 = 0
        if !isReading {
            let kind = value.kind
            let place = UInt8(Self.empty.firstIndex { $0.kind == kind } ?? 0)
            code = place + 1 | (value.isList ? Self.listFlag : 0)
        }
        byte(&code)
        let index = Int(code & ~Self.listFlag) - 1
        guard Self.empty.indices.contains(index) else { return fail() }
        let empty = Self.empty[index]
        if isReading { value = code & Self.listFlag == 0 ? empty : .list(empty.kind, []) }
        guard case .list(let kind, var elements) = value else { return scalar(&value) }
        list(&elements, empty) { $0.scalar(&$1) }
        value = .list(kind, elements)
    }

    private mutating func scalar(_ value: inout FieldValue) {
        switch value {
        case .string(var text):
            string(&text)
            value = .string(text)
        case .int64(var number):
            signed(&number)
            value = .int64(number)
        case .double(var number):
            double(&number)
            value = .double(number)
        case .bytes(var data):
            blob(&data)
            value = .bytes(data)
        case .timestamp(var moment):
            timestamp(&moment)
            value = .timestamp(moment)
        case .location(var place):
            location(&place)
            value = .location(place)
        case .reference(var target):
            reference(&target)
            value = .reference(target)
        case .asset(var file):
            asset(&file)
            value = .asset(file)
        case .list: fail()
        }
    }

    mutating func location(_ place: inout Location) {
        double(&place.latitude)
        double(&place.longitude)
        for number in [
            \Location.horizontalAccuracy, \.verticalAccuracy, \.altitude, \.speed, \.course,
        ] {
            optional(&place[keyPath: number], 0) { $0.double(&$1) }
        }
        optional(&place.timestamp, Timestamp(milliseconds: 0)) { $0.timestamp(&$1) }
    }

    mutating func timestamp(_ moment: inout Timestamp) {
        var milliseconds = moment.milliseconds
        signed(&milliseconds)
        moment = Timestamp(milliseconds: milliseconds)
    }

    mutating func reference(_ target: inout Record.Reference) {
        var (name, zone, action) = (target.recordName, target.zoneID, target.action)
        string(&name)
        optional(&zone, .default) { $0.zoneID(&$1) }
        choice(&action, of: [.none, .deleteSelf, .validate])
        target = Record.Reference(name, zoneID: zone, action: action)
    }

    mutating func zoneID(_ zone: inout RecordZone.ID) {
        var (name, owner) = (zone.zoneName, zone.ownerRecordName)
        string(&name)
        optionalString(&owner)
        zone = RecordZone.ID(name, ownerRecordName: owner)
    }

    private mutating func asset(_ file: inout Asset) {
        string(&file.fileChecksum)
        signed(&file.size)
        optionalString(&file.referenceChecksum)
        optionalString(&file.wrappingKey)
        optionalString(&file.receipt)
        optionalString(&file.downloadURL)
    }

    mutating func stamp(_ stamp: inout Record.Stamp) {
        var (moment, user, device) = (stamp.timestamp, stamp.userRecordName, stamp.deviceID)
        timestamp(&moment)
        string(&user)
        string(&device)
        stamp = Record.Stamp(timestamp: moment, userRecordName: user, deviceID: device)
    }
}

extension Record.Stamp {
    /// What is replaced by a stamp that is read.
    static let empty = Record.Stamp(
        timestamp: Timestamp(milliseconds: 0), userRecordName: "", deviceID: "")
}
