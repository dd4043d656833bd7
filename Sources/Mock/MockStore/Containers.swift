import Basics
import CloudModel

/// The containers with their schemas, and the record types known in each.
final class Containers: StorePart {
    private let context: StoreContext
    private var schemas: [Container.ID: Schema?] = [:]
    /// By the public database of a container and environment; read when they are asked for.
    private var types: [DatabaseKey: KnownTypes] = [:]

    init(_ context: StoreContext) { self.context = context }

    func reload() throws(CloudError) {
        types.removeAll()
        schemas = try context.tables.containers.all()
    }

    func schema(of container: Container.ID) -> Schema? { schemas[container] ?? nil }

    /// Makes a container unless it is there.
    func add(_ container: Container.ID) throws(CloudError) {
        if schemas[container] == nil { try setSchema(nil, of: container) }
    }

    /// Refuses requests to a container that nobody named, where those are refused.
    func require(_ container: Container.ID) throws(CloudError) {
        guard context.options.autoCreateContainers || schemas[container] != nil else {
            let names = known.map(\.rawValue)
            let nearest = NearestName.closest(to: container.rawValue, among: names)
            throw CloudError(
                .authenticationFailed,
                reason: "unknown container \(container.rawValue)"
                    + (nearest.map { "; nearest: \($0)" } ?? "")
                    + "; declare it with --container, in a seed or a list, or start the server with "
                    + "--any-container", rule: "undeclared-container")
        }
    }

    /// Every container that was named, in order.
    var known: [Container.ID] { schemas.keys.sorted() }

    func setSchema(_ schema: Schema?, of container: Container.ID) throws(CloudError) {
        try context.tables.beginIfNeeded()
        try context.tables.containers.put(schema, of: container)
        schemas[container] = .some(schema)
        types.removeAll()
    }

    // MARK: - Record types

    /// What is known of the types of the session's container, read once.
    func types(_ session: Session) throws(CloudError) -> KnownTypes {
        try types(session.typesKey)
    }

    /// What is known of the types of a container.
    func types(
        _ container: Container.ID, _ environment: Container.Environment
    ) throws(CloudError) -> KnownTypes {
        try types(
            DatabaseKey(
                address: Database.Address(
                    container: container, environment: environment, scope: .public), user: ""))
    }

    /// Where there is something to be said of record types.
    func schemaPlaces() throws(CloudError) -> [SchemaPlace] {
        var places = Set(
            try context.tables.containers.places().map {
                SchemaPlace(
                    container: $0.container, environment: $0.environment,
                    isDeclared: schema(of: $0.container) != nil)
            })
        for case (let container, _?) in schemas {
            for environment in Container.Environment.allCases {
                places.insert(
                    SchemaPlace(
                        container: container, environment: environment, isDeclared: true))
            }
        }
        return places.sorted {
            ($0.container.rawValue, $0.environment.rawValue)
                < ($1.container.rawValue, $1.environment.rawValue)
        }
    }

    private func types(_ key: DatabaseKey) throws(CloudError) -> KnownTypes {
        if let known = types[key] { return known }
        let made = KnownTypes(
            schema: schema(of: key.address.container),
            seen: try context.tables.containers.fields(in: key.address))
        types[key] = made
        return made
    }

    /// Remembers a record's type and the types of its fields.
    func learn(
        _ record: StoredRecord, _ types: KnownTypes, _ session: Session
    ) throws(CloudError) {
        let table = context.tables.containers
        if types.learn(nil, named: nil, of: record.type) {
            try table.put(nil, "", of: record.type, in: session.address)
        }
        for (name, field) in record.fields {
            let known = KnownTypes.KnownField(
                kind: field.value.kind, isList: field.value.isList,
                isEncrypted: field.isEncrypted)
            if types.learn(known, named: name, of: record.type) {
                try table.put(known, name, of: record.type, in: session.address)
            }
        }
    }

    /// Forgets the types that were saved, as far as a scope goes.
    func forgetTypes(_ scope: ResetScope) throws(CloudError) {
        try context.tables.containers.deleteFields(scope)
        types.removeAll()
    }
}
