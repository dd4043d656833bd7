internal import Donations
public import Foundation

/// Several intents that are carried out one after the other, as a shortcut of the Shortcuts app:
/// data, nothing here runs it. Not in Apple's interface.
public struct IntentSequence {
    /// What people read.
    public let title: String
    /// The intents, in their order.
    public let intents: [INIntent]

    /// A sequence; the intents are copied.
    public init(title: String, intents: [INIntent]) {
        self.title = title
        self.intents = intents.map { $0.copy() as? INIntent ?? $0 }
    }

    /// The sequence as bytes: the same sequence gives the same ones.
    ///
    /// - Throws: `INIntentError.encodingFailed` when a parameter holds what cannot be stored.
    public func data() throws -> Data {
        do {
            let steps = try intents.map { try ShortcutCoding.encode($0) }
            return Data(
                PayloadValue.dictionary(["title": .string(title), "intents": .array(steps)])
                    .encoded)
        } catch {
            throw StoreCall.failure(.encodingFailed, error)
        }
    }

    /// The sequence of these bytes; custom intents come back as ``CustomIntent``.
    ///
    /// - Throws: `INIntentError.decodingGeneric` when they are none.
    public init(data: Data) throws {
        guard let value = try? PayloadValue(decoding: [UInt8](data)),
            case .string(let title)? = value["title"],
            case .array(let steps)? = value["intents"]
        else { throw INIntentError(.decodingGeneric) }
        self.title = title
        intents = try steps.map { step in
            guard let intent = ShortcutCoding.intent(step) else {
                throw INIntentError(.decodingGeneric)
            }
            return intent
        }
    }
}
