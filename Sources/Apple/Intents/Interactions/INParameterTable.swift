internal import Foundation

/// How an intent says which of its properties are parameters.
///
/// Not in Apple's interface. There the Objective-C runtime finds the properties of a generated
/// intent class; on Linux the class lists them in ``INIntent/donationParameters``.
public enum INParameterTable {
    /// One parameter: its name and the property that holds it.
    public struct Entry {
        /// The parameter's name, as in the intent definition.
        public let name: String
        let keyPath: AnyKeyPath
        let read: (AnyObject) -> Any?
        let write: (AnyObject, Any?) -> Void

        /// A parameter that may have no value.
        public init<Root: AnyObject, Value>(
            _ name: String, _ keyPath: ReferenceWritableKeyPath<Root, Value?>
        ) {
            self.name = name
            self.keyPath = keyPath
            read = { ($0 as? Root).flatMap { $0[keyPath: keyPath] } }
            write = { object, value in
                guard let object = object as? Root else { return }
                object[keyPath: keyPath] = value.flatMap { Self.cast($0) }
            }
        }

        /// A parameter that always has a value.
        public init<Root: AnyObject, Value>(
            _ name: String, _ keyPath: ReferenceWritableKeyPath<Root, Value>
        ) {
            self.name = name
            self.keyPath = keyPath
            read = { ($0 as? Root).map { $0[keyPath: keyPath] } }
            write = { object, value in
                guard let object = object as? Root, let value,
                    let value: Value = Self.cast(value)
                else { return }
                object[keyPath: keyPath] = value
            }
        }

        /// A parameter of a system intent, which keeps its values by name.
        init(stored name: String, _ keyPath: AnyKeyPath) {
            self.name = name
            self.keyPath = keyPath
            read = { ($0 as? any ValuesByName)?.values[name] }
            write = { object, value in (object as? any ValuesByName)?.put(value, name) }
        }

        /// A value of the property's type: itself, or the case that a stored number stands for.
        private static func cast<Value>(_ value: Any) -> Value? {
            if let value = value as? Value { return value }
            guard let type = Value.self as? any RawRepresentable.Type else { return nil }
            return make(type, from: value) as? Value
        }

        private static func make<Raw: RawRepresentable>(_ type: Raw.Type, from value: Any) -> Raw? {
            (value as? Raw.RawValue).flatMap { Raw(rawValue: $0) }
        }
    }

    /// Parameters that make a shortcut together, as the app declares in its intent definition.
    public struct Combination: Sendable, Hashable {
        /// The names of the parameters.
        public let parameters: Set<String>
        /// The shortcut's title, with places such as `${soup}` for the values.
        public let title: String
        /// The line below it, with places too.
        public let subtitle: String?

        /// A combination.
        public init(_ parameters: Set<String>, title: String, subtitle: String? = nil) {
            self.parameters = parameters
            self.title = title
            self.subtitle = subtitle
        }
    }
}
