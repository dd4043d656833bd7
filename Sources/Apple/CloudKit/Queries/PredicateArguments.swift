// swift-format-ignore-file: AvoidRetroactiveConformances
// Apple's systems have them by the bridge to Objective-C.

public import Foundation

// What apps hand to `NSPredicate(format:)` as `value as CVarArg`, which on Apple's systems every
// object can be. Predicates take the values as they are; `String(format:)` shows them in words.

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The date in words.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
    /// Nothing: the words are taken.
    public var _cVarArgEncoding: [Int] { [0] }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The list in words.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
    /// Nothing: the words are taken.
    public var _cVarArgEncoding: [Int] { [0] }
}

extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The date in words.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
    /// Nothing: the words are taken.
    public var _cVarArgEncoding: [Int] { [0] }
}

extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The number in words.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
    /// Nothing: the words are taken.
    public var _cVarArgEncoding: [Int] { [0] }
}

extension CKRecord.ID: CVarArg, _CVarArgObject {
    /// The ID in words.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
    /// Nothing: the words are taken.
    public var _cVarArgEncoding: [Int] { [0] }
}

extension CKRecord.Reference: CVarArg, _CVarArgObject {
    /// The link in words.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
    /// Nothing: the words are taken.
    public var _cVarArgEncoding: [Int] { [0] }
}

extension CLLocation: CVarArg, _CVarArgObject {
    /// The place in words.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
    /// Nothing: the words are taken.
    public var _cVarArgEncoding: [Int] { [0] }
}
