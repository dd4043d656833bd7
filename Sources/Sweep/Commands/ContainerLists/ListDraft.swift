import CloudModel
import CommandLine

/// A container list that is about to be written.
struct ListDraft: Sendable {
    /// What is known of a container's record types.
    enum Types: Sendable, Hashable {
        /// A schema file, as the list names it.
        case schema(String)
        /// It has none.
        case none
        case unknown
    }

    let containers: [Container.ID]
    let application: String?
    let environment: Container.Environment
    var types: [Container.ID: Types] = [:]

    private static let tokenVariable = "CKSWEEP_API_TOKEN"

    /// The container that `CKContainer.default()` is, if one is.
    var primary: Container.ID? {
        containers.first { $0.rawValue == "iCloud.\(application ?? "")" }
    }

    /// The variable with each container's API token: a token is good for one container only.
    var tokenVariables: [Container.ID: String] {
        let parts = containers.map { $0.rawValue.split(separator: ".") }
        var common = parts.first ?? []
        for other in parts {
            let shared = zip(common, other).prefix { $0 == $1 }.count
            common = Array(common.prefix(shared))
        }
        var variables: [Container.ID: String] = [:]
        var taken: Set<String> = []
        for (id, parts) in zip(containers, parts) {
            let own = id == primary ? [] : Array(parts.dropFirst(common.count))
            let suffix = own.map { "_" + Self.letters($0) }.joined()
            var name = Self.tokenVariable + suffix
            var number = 1
            while !taken.insert(name).inserted {
                number += 1
                name = "\(Self.tokenVariable)\(suffix)_\(number)"
            }
            variables[id] = name
        }
        return variables
    }

    /// A part of an identifier as part of a variable's name.
    private static func letters(_ part: Substring) -> String {
        String(
            part.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    /// The list as a file.
    var bytes: [UInt8] {
        var fields: [Event.Field] = [.init("version", 1)]
        if let application { fields.append(.init("application", application)) }
        fields += [
            .init("environment", .text(environment.rawValue)),
            .init("containers", .list(containers.map { .object(entry($0)) })),
            .init("databases", .list(Database.Scope.allCases.map { .text($0.rawValue) })),
        ]
        return Array(Event("list", fields).prettyText.utf8)
    }

    private func entry(_ id: Container.ID) -> [Event.Field] {
        var fields = [Event.Field("identifier", id.rawValue)]
        if id == primary { fields.append(.init("default", true)) }
        switch types[id] ?? .unknown {
        case .schema(let path): fields.append(.init("schema", path))
        case .none: fields.append(.init("recordTypes", .list([])))
        case .unknown: break
        }
        let variable = tokenVariables[id] ?? Self.tokenVariable
        fields.append(
            .init(
                "credentials",
                .object([
                    .init("apiToken", "env:\(variable)"), .init("webAuthToken", "login"),
                ])))
        return fields
    }
}
