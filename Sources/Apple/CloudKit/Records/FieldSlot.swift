import Basics
import CloudModel
import Foundation

/// A field's value on its way between an app and the service.
enum FieldSlot: Sendable, Equatable {
    case value(FieldValue)
    /// An asset that has a file here, sent or not.
    case file(CKAsset)
    /// A list of assets of which one has a file here.
    case files([CKAsset])
    /// What no field can hold, and what the app sees of it; an error when the record is saved.
    case refused(String, shown: Refused = Refused())

    /// A value that no field can hold.
    struct Refused: Sendable, Equatable {
        var value: (any CKRecordValue & Sendable)?

        static func == (left: Self, right: Self) -> Bool {
            left.value.map { "\($0)" } == right.value.map { "\($0)" }
        }
    }

    /// What an app set.
    init(_ value: any CKRecordValueProtocol) {
        self = Self.scalar(value) ?? Self.list(value) ?? .refused("\(type(of: value))")
    }

    private static func scalar(_ value: Any) -> FieldSlot? {
        if let text = value as? String { return .value(.string(text)) }
        return type(of: value) is AnyClass ? object(value) : plain(value)
    }

    private static func plain(_ value: Any) -> FieldSlot? {
        switch value {
        case let flag as Bool: .value(.int64(flag ? 1 : 0))
        case let number as Double: real(number)
        case let number as Float: real(Double(number))
        case let number as any BinaryInteger:
            Int64(exactly: number).map { .value(.int64($0)) }
                ?? .refused("a number above Int64.max")
        case let date as Date: moment(date)
        case let bytes as Data: .value(.bytes(Array(bytes)))
        default: nil
        }
    }

    private static func object(_ value: Any) -> FieldSlot? {
        switch value {
        case let number as NSNumber:
            number.isReal ? real(number.doubleValue) : whole(number)
        case let date as NSDate:
            moment(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let bytes as NSData: .value(.bytes(Array(Data(referencing: bytes))))
        case let place as CLLocation:
            place.isStorable
                ? .value(.location(place.model))
                : .refused(
                    "a location with NaN, an infinite number or a date out of range",
                    shown: Refused(value: place))
        case let link as CKRecord.Reference: .value(.reference(link.model))
        case let asset as CKAsset:
            if asset.fileURL == nil, let stored = asset.stored {
                .value(.asset(stored))
            } else {
                .file(asset)
            }
        default: nil
        }
    }

    /// The web services spell numbers as JSON does, which has no NaN and no infinity.
    private static func real(_ number: Double) -> FieldSlot {
        number.isFinite
            ? .value(.double(number))
            : .refused("NaN or an infinite number", shown: Refused(value: number))
    }

    private static func moment(_ date: Date) -> FieldSlot {
        Timestamp(storable: date).map { .value(.timestamp($0)) }
            ?? .refused("a date that is NaN or out of range", shown: Refused(value: date))
    }

    private static func whole(_ number: NSNumber) -> FieldSlot {
        Int64("\(number)").map { .value(.int64($0)) }
            ?? (number.uint64Value > UInt64(Int64.max)
                ? .refused("a number above Int64.max") : .value(.int64(number.int64Value)))
    }

    private static func list(_ value: Any) -> FieldSlot? {
        guard let elements = value as? [Any] else { return nil }
        if elements.isEmpty, let kind = (type(of: value) as? any TypedList.Type)?.kind {
            return .value(.list(kind, []))
        }
        let assets = elements.compactMap { $0 as? CKAsset }
        if assets.count == elements.count, assets.contains(where: { $0.fileURL != nil }) {
            return .files(assets)
        }
        var values: [FieldValue] = []
        for element in elements {
            switch scalar(element) {
            case .value(let value)?:
                guard values.first.map({ $0.kind == value.kind }) != false else {
                    return .refused("a list of more than one type")
                }
                values.append(value)
            case .file?, .files?: return .refused("a list of more than one type")
            case .refused(let type, _)?: return .refused(type, shown: shown(refused: elements))
            case nil: return .refused("a list of \(type(of: element))")
            }
        }
        return .value(.list(values.first?.kind ?? .string, values))
    }

    private static func shown(refused elements: [Any]) -> Refused {
        Refused(
            value: (elements as? [Double]) ?? (elements as? [Date]) ?? (elements as? [CLLocation]))
    }

    /// What an app gets to see.
    ///
    /// - Parameter zoneID: The record's own, for links that name none.
    func shown(in zoneID: CKRecordZone.ID, _ scope: CKDatabase.Scope) -> (any CKRecordValue)? {
        switch self {
        case .value(let value): Self.shown(value, zoneID, scope)
        case .file(let asset): asset
        case .files(let assets): assets
        case .refused(_, let refused): refused.value
        }
    }

    private static func shown(
        _ value: FieldValue, _ zoneID: CKRecordZone.ID, _ scope: CKDatabase.Scope
    ) -> any CKRecordValue {
        switch value {
        case .string(let text): text
        // As natively, so that `as? Int`, `as? Int64` and `as? Double` all succeed.
        case .int64(let number): NSNumber(value: number)
        case .double(let number): number
        case .bytes(let bytes): Data(bytes)
        case .timestamp(let moment): moment.date
        case .location(let place): CLLocation(place)
        case .reference(let link): CKRecord.Reference(link, from: zoneID, in: scope)
        case .asset(let asset): CKAsset(asset)
        case .list(let kind, let values): shown(kind, values, zoneID, scope)
        }
    }

    private static func shown(
        _ kind: FieldValue.Kind, _ values: [FieldValue], _ zoneID: CKRecordZone.ID,
        _ scope: CKDatabase.Scope
    ) -> any CKRecordValue {
        let elements = values.map { shown($0, zoneID, scope) }
        return switch kind {
        case .string: elements.compactMap { $0 as? String }
        case .int64: elements.compactMap { $0 as? NSNumber }
        case .double: elements.compactMap { $0 as? Double }
        case .bytes: elements.compactMap { $0 as? Data }
        case .timestamp: elements.compactMap { $0 as? Date }
        case .location: elements.compactMap { $0 as? CLLocation }
        case .reference: elements.compactMap { $0 as? CKRecord.Reference }
        case .asset: elements.compactMap { $0 as? CKAsset }
        }
    }
}

extension NSNumber {
    /// Whether it was made of a number with a point, even of a whole one.
    fileprivate var isReal: Bool { "\(self)".contains { !$0.isNumber && $0 != "-" } }
}
