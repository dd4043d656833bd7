import Foundation

/// Gives a field's value the type that an app asks for.
enum FieldCast {
    static func cast<Value>(_ value: any CKRecordValue) -> Value? {
        if let value = value as? Value { return value }
        // Numbers cast among each other, and texts to their object form, as natively.
        if let number = value as? Double { return NSNumber(value: number) as? Value }
        if let number = value as? NSNumber { return number as? Value }
        return nil
    }
}
