public import Foundation

/// The name of a parameter of a class of intents.
public class INParameter: NSObject, NSCopying {
    /// The class that has the parameter.
    public let parameterClass: AnyClass
    /// The parameter's name; empty when the class does not list the property.
    public let parameterKeyPath: String
    private var indexes: [String: Int] = [:]

    /// A parameter by its name.
    public init(for aClass: AnyClass, keyPath: String) {
        parameterClass = aClass
        parameterKeyPath = keyPath
    }

    /// A parameter by its property, which must be listed in ``INIntent/donationParameters``.
    public convenience init<Root: INIntent, Value>(keyPath: KeyPath<Root, Value>) {
        let entry = Root.donationParameters.first { $0.keyPath == keyPath }
        self.init(for: Root.self, keyPath: entry?.name ?? "")
    }

    /// Picks one element of a list inside the parameter.
    public func setIndex(_ index: Int, forSubKeyPath subKeyPath: String) {
        indexes[subKeyPath] = index
    }

    /// The element picked; `NSNotFound` when none was.
    public func index(forSubKeyPath subKeyPath: String) -> Int {
        indexes[subKeyPath] ?? NSNotFound
    }

    /// Whether both name the same parameter of the same class.
    public func isEqual(to parameter: INParameter) -> Bool {
        parameterClass == parameter.parameterClass
            && parameterKeyPath == parameter.parameterKeyPath && indexes == parameter.indexes
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? INParameter).map(isEqual(to:)) ?? false
    }

    public override var hash: Int { parameterKeyPath.hashValue }

    /// A parameter with the same name and indexes.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = INParameter(for: parameterClass, keyPath: parameterKeyPath)
        copy.indexes = indexes
        return copy
    }
}
