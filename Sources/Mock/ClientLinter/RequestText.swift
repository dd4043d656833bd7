import Basics
import CloudModel
package import CloudWire
package import JSON

/// Compares the body of a request with the shape of its operation.
package struct RequestText {
    /// Items that one request may have.
    private let itemsMax: Int

    /// Remarks on one request.
    private static let remarksMax = 20
    /// Characters kept of a key.
    private static let keyMax = 100
    /// Keys that hold a token.
    private static let tokens: Set<String> = ["syncToken", "metaSyncToken", "continuationMarker"]
    /// Keys that any request may have, documented or seen.
    private static let everywhere: Set<String> = ["numbersAsStrings", "numberAsStrings"]
    /// Keys of what the service answers, which clients send back with what they change.
    private static let echoed: Set<String> = Set(
        ["Record", "DeletedRecord", "Zone", "Participant", "Asset", "Stamp"].flatMap { name in
            RequestText.members(of: .named(name)).map(\.name)
        }
    ).union(["shortGUID", "stableUrl", "pluginFields", "deleted", "created", "modified"])

    package init(itemsMax: Int) { self.itemsMax = itemsMax }

    package func remarks(on root: JSONValue, _ shape: Shape) -> [RequestRemark] {
        var remarks: [RequestRemark] = []
        look(at: root, shape, isRoot: true, &remarks)
        return remarks
    }

    private func look(
        at value: JSONValue, _ shape: Shape, isRoot: Bool, _ remarks: inout [RequestRemark]
    ) {
        switch value.kind {
        case .array:
            let elements = Self.elements(of: shape)
            guard !elements.isEmpty else { return }
            for element in value.elements {
                guard remarks.count < Self.remarksMax else { return }
                look(at: element, .oneOf(elements), isRoot: false, &remarks)
            }
        case .object:
            if let inside = Self.mapped(shape) {
                for member in value.members {
                    look(at: member.value, inside, isRoot: false, &remarks)
                }
                return
            }
            lookAtMembers(of: value, Self.members(of: shape), isRoot: isRoot, &remarks)
        default: break
        }
    }

    private func lookAtMembers(
        of value: JSONValue, _ known: [Shape.Member], isRoot: Bool,
        _ remarks: inout [RequestRemark]
    ) {
        guard !known.isEmpty else { return }
        for member in value.members {
            guard remarks.count < Self.remarksMax else { return }
            let shapes = known.filter { $0.name == member.key }.map(\.shape)
            if shapes.isEmpty {
                guard !Self.everywhere.contains(member.key),
                    isRoot || !Self.echoed.contains(member.key)
                else { continue }
                let nearest = NearestName.closest(to: member.key, among: known.map(\.name))
                remarks.append(
                    .unknownKey(String(member.key.prefix(Self.keyMax)), nearest: nearest))
                continue
            }
            if Self.tokens.contains(member.key), member.value.isString("") {
                remarks.append(.emptyToken(member.key))
            }
            if isRoot, member.value.kind == .array,
                let most = shapes.compactMap(Self.itemsMax).min().map({ min($0, itemsMax) }),
                member.value.count > most
            {
                remarks.append(.tooManyItems(member.key, count: member.value.count, max: most))
            }
            look(at: member.value, .oneOf(shapes), isRoot: false, &remarks)
        }
    }

    // MARK: - Shapes

    /// The shapes of its elements; empty: it is no list.
    private static func elements(of shape: Shape) -> [Shape] {
        switch shape {
        case .list(let element, _): [element]
        case .oneOf(let shapes): shapes.flatMap(elements)
        case .named(let name): ShapeDefinition.shape(named: name).map(elements) ?? []
        default: []
        }
    }

    /// Every key that an object of it can have.
    private static func members(of shape: Shape) -> [Shape.Member] {
        switch shape {
        case .object(let members): members
        case .oneOf(let shapes): shapes.flatMap(members)
        case .named(let name): ShapeDefinition.shape(named: name).map(members) ?? []
        default: []
        }
    }

    /// What an object of it holds under names of data; nil where its keys are known.
    private static func mapped(_ shape: Shape) -> Shape? {
        switch shape {
        case .map(let value): value
        case .oneOf(let shapes): shapes.lazy.compactMap(mapped).first
        case .named(let name): ShapeDefinition.shape(named: name).flatMap(mapped)
        default: nil
        }
    }

    /// How many elements a list of it may have.
    private static func itemsMax(of shape: Shape) -> Int? {
        if case .list(_, let most) = shape { most } else { nil }
    }
}
