import CloudModel
import Foundation

/// A list that says what it is of, even when it is empty.
protocol TypedList {
    static var kind: FieldValue.Kind { get }
}

extension Array: TypedList where Element: ListElement {
    static var kind: FieldValue.Kind { Element.kind }
}

/// What lists of fields are of.
protocol ListElement {
    static var kind: FieldValue.Kind { get }
}

extension String: ListElement { static var kind: FieldValue.Kind { .string } }
extension NSString: ListElement { static var kind: FieldValue.Kind { .string } }
extension ListElement where Self: BinaryInteger { static var kind: FieldValue.Kind { .int64 } }
extension Int: ListElement {}
extension Int8: ListElement {}
extension Int16: ListElement {}
extension Int32: ListElement {}
extension Int64: ListElement {}
extension UInt: ListElement {}
extension UInt8: ListElement {}
extension UInt16: ListElement {}
extension UInt32: ListElement {}
extension UInt64: ListElement {}
extension Bool: ListElement { static var kind: FieldValue.Kind { .int64 } }
extension Float: ListElement { static var kind: FieldValue.Kind { .double } }
extension Double: ListElement { static var kind: FieldValue.Kind { .double } }
extension Date: ListElement { static var kind: FieldValue.Kind { .timestamp } }
extension Data: ListElement { static var kind: FieldValue.Kind { .bytes } }
extension CLLocation: ListElement { static var kind: FieldValue.Kind { .location } }
extension CKRecord.Reference: ListElement { static var kind: FieldValue.Kind { .reference } }
extension CKAsset: ListElement { static var kind: FieldValue.Kind { .asset } }
