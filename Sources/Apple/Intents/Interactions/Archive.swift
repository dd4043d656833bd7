internal import CoreLocation
internal import Donations
internal import Foundation

/// What archives of this module's classes are made of.
///
/// Values are kept in the form of the donation store. A value that has no such form spoils the
/// whole archive: nothing comes back from it, rather than something that lacks a part.
enum Archive {
    private static let key = "values"

    /// Writes the values by name.
    static func encode(_ values: [String: Any?], in coder: NSCoder) {
        var parts: [String: PayloadValue] = [:]
        do {
            for case (let name, let value?) in values {
                parts[name] = try StoredValue.encode(value)
            }
        } catch {
            return
        }
        coder.encode(NSData(data: Data(PayloadValue.dictionary(parts).encoded)), forKey: key)
    }

    /// The values by name; nil when there are none to be read.
    static func parts(in coder: NSCoder) -> [String: Any]? {
        guard let data = coder.decodeIfThere(NSData.self, key),
            let value = try? PayloadValue(decoding: [UInt8](Data(referencing: data)))
        else { return nil }
        return value.namedValues?.compactMapValues { StoredValue.decode($0) }
    }

    /// Writes a text; nil writes nothing.
    static func encode(text: String?, _ key: String, in coder: NSCoder) {
        if let text { coder.encode(NSString(string: text), forKey: key) }
    }

    /// A text; nil when none was written.
    static func text(_ key: String, in coder: NSCoder) -> String? {
        coder.decodeText(key)
    }

    /// Writes what an activity is made of; activities have no archives of their own.
    static func encode(_ activity: NSUserActivity?, in coder: NSCoder) {
        guard let activity, let kept = try? ShortcutCoding.encode(.userActivity(activity))
        else { return }
        coder.encode(NSData(data: Data(kept.encoded)), forKey: "activity")
    }

    /// A new activity with what was written of one.
    static func activity(in coder: NSCoder) -> NSUserActivity? {
        guard let data = coder.decodeIfThere(NSData.self, "activity"),
            let value = try? PayloadValue(decoding: [UInt8](Data(referencing: data)))
        else { return nil }
        return ShortcutCoding.shortcut(value)?.userActivity
    }
}

extension StorableValue {
    /// The value that was archived; nil when it cannot be read.
    init?(archivedIn coder: NSCoder) {
        guard let parts = Archive.parts(in: coder), let value = Self.restore(parts)
        else { return nil }
        self = value
    }

    /// Writes the value's parts.
    func archive(in coder: NSCoder) { Archive.encode(storedParts, in: coder) }
}
