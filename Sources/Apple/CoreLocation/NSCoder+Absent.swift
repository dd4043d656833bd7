package import Foundation

/// Foundation on Linux takes a key that an archive lacks for a broken archive; here it means nil.
extension NSCoder {
    /// The object under a key; nil when there is none of the class.
    package func decodeIfThere<Thing: NSObject & NSCoding>(
        _ type: Thing.Type, _ key: String
    ) -> Thing? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    /// The collection under a key, with members of these classes; nil when there is none.
    package func decodeIfThere(anyOf types: [AnyClass], _ key: String) -> Any? {
        containsValue(forKey: key) ? decodeObject(of: types, forKey: key) : nil
    }

    /// The text under a key; nil when there is none.
    package func decodeText(_ key: String) -> String? {
        decodeIfThere(NSString.self, key).map { "\($0)" }
    }
}
