public import Foundation

/// Values to choose from, in sections: what a custom intent's dynamic options are.
public final class INObjectCollection<ObjectType: NSObject>: NSObject, NSCopying {
    /// The values in their groups.
    public let sections: [INObjectSection<ObjectType>]
    /// Whether an index of first letters is shown beside them.
    public var usesIndexedCollation = false

    /// Values in groups.
    public init(sections: [INObjectSection<ObjectType>]) { self.sections = sections }

    /// Values in one group without a title.
    public convenience init(items: [ObjectType]) {
        self.init(sections: [INObjectSection(title: nil, items: items)])
    }

    /// Every value, in the order of the sections.
    public var allItems: [ObjectType] { sections.flatMap(\.items) }

    /// A collection with the same sections.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = INObjectCollection(sections: sections)
        copy.usesIndexedCollation = usesIndexedCollation
        return copy
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INObjectCollection<ObjectType> else { return false }
        return sections == other.sections && usesIndexedCollation == other.usesIndexedCollation
    }

    public override var hash: Int { sections.hashValue }
}

/// Values to choose from that belong together.
public final class INObjectSection<ObjectType: NSObject>: NSObject, NSCopying {
    /// What is written above them; nil: nothing.
    public let title: String?
    /// The values.
    public let items: [ObjectType]

    /// Values that belong together.
    public init(title: String?, items: [ObjectType]) {
        self.title = title
        self.items = items
    }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INObjectSection<ObjectType> else { return false }
        return title == other.title && items == other.items
    }

    public override var hash: Int { title.hashValue }
}
