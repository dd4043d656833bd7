import CloudModel
import CloudWire
import MockService

/// The answer to a request that is refused with one status.
struct OpenAPIRefusal {
    /// Whose words a refusal is in.
    enum Family: String {
        case service = "Service"
        case administration = "Admin"

        /// What nearly all of its refusals are.
        var standard: Shape {
            switch self {
            case .service: "Error"
            case .administration: "MockError"
            }
        }
    }

    /// What a request is answered that names no namespace of the server.
    static let noNamespace: Shape = "NamespaceError"

    let family: Family
    let status: Int
    let about: String
    let shapes: [Shape]

    /// Its name among the answers that operations share.
    var name: String { "\(family.rawValue)Error\(status)" }

    /// Those of any operation of the service.
    ///
    /// - Parameter others: Statuses in addition to those of the codes.
    static func service(_ others: [Int] = []) -> [OpenAPIRefusal] {
        (codes.keys + others).sorted().map { OpenAPIRefusal(.service, $0) }
    }

    /// Those of any operation of the administration.
    ///
    /// - Parameter others: Statuses in addition to those that all have.
    static func administration(_ others: [Int] = []) -> [OpenAPIRefusal] {
        Set(MockError.statuses.map(\.status) + others).sorted().map {
            OpenAPIRefusal(.administration, $0)
        }
    }

    /// The statuses of the codes, each with its codes.
    static let codes = Dictionary(
        grouping: CloudError.Code.allCases.filter { $0.httpStatus != nil }
    ) { $0.httpStatus ?? 0 }

    /// Statuses that stand for no code.
    private static let others = [
        410: "the named object no longer exists",
        416: "the file has no bytes in the requested range",
    ]

    private init(_ family: Family, _ status: Int) {
        self.family = family
        self.status = status
        let own = MockError.statuses.first { family == .administration && $0.status == status }
        about =
            own?.about ?? Self.codes[status]?.map(\.rawValue).joined(separator: ", ")
            ?? Self.others[status] ?? ""
        var shapes = [family.standard]
        // Which namespace is meant is known before the request is read.
        if [400, 404, 409].contains(status) { shapes.append(Self.noNamespace) }
        // A batch that is rolled back is reported as the service does.
        if status == 500, family == .administration { shapes.append(Family.service.standard) }
        self.shapes = shapes
    }
}
