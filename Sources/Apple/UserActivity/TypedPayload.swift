internal import Donations
internal import Foundation

extension NSUserActivity {
    /// Why a typed payload could not be set or read.
    public enum TypedPayloadError: Error {
        /// `userInfo` does not describe a value of the asked type.
        case invalidContent
        /// The value cannot be put into a dictionary of allowed types.
        case encodingError
    }

    /// Puts the properties of `payload` into ``userInfo``, in place of what is there.
    ///
    /// - Throws: ``TypedPayloadError/encodingError`` when `payload` is not encoded as a dictionary;
    ///   ``userInfo`` is then unchanged.
    public func setTypedPayload<T: Codable>(_ payload: T) throws {
        guard let data = try? PropertyListEncoder().encode(payload),
            let entries = try? PropertyListDecoder().decode(
                [String: TypedPayloadValue].self, from: data)
        else { throw TypedPayloadError.encodingError }
        userInfo = TypedPayloadValue.userInfo(entries)
    }

    /// The value of type `type` that ``userInfo`` describes.
    ///
    /// - Throws: ``TypedPayloadError/invalidContent`` when it describes none.
    public func typedPayload<T: Codable>(_ type: T.Type) throws -> T {
        var entries: [String: TypedPayloadValue] = [:]
        for (key, object) in userInfo ?? [:] {
            if let key = key.base as? String, let value = try? PayloadValue(object: object) {
                entries[key] = TypedPayloadValue(value: value)
            }
        }
        guard let data = try? PropertyListEncoder().encode(entries),
            let payload = try? PropertyListDecoder().decode(type, from: data)
        else { throw TypedPayloadError.invalidContent }
        return payload
    }
}
