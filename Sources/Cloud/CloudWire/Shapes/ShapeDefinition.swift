/// A shape with a name, which others say where they hold one.
package struct ShapeDefinition: Sendable {
    package let name: String
    package let shape: Shape

    init(_ name: String, _ shape: Shape) {
        self.name = name
        self.shape = shape
    }

    init(_ name: String, _ members: [Shape.Member]) { self.init(name, .object(members)) }

    /// Those of the service, in the order of the document: what each ``CommandDecoder`` reads, in its
    /// documented form, and all that ``ReplyWriter`` writes.
    package static let all: [ShapeDefinition] =
        errors + fields + zones + records + queries + shares + subscriptions + assets + users
        + tokens

    /// A definition by its name.
    package static func shape(named name: String) -> Shape? { byName[name] }

    private static let byName = Dictionary(
        uniqueKeysWithValues: all.map { ($0.name, $0.shape) })
}
