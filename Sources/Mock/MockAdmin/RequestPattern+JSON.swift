import Basics
import CloudModel
import CloudWire
import JSON
import MockFaults
import MockService

extension RequestPattern {
    /// What each part is given as.
    static let members: [Shape.Member] = Key.allCases.map { key in
        switch key {
        case .operation: Shape.Member(key.rawValue, .choice(FaultOperation.names))
        case .environment:
            Shape.Member(key.rawValue, .choice(of: Container.Environment.self))
        case .scope: Shape.Member(key.rawValue, .choice(of: Database.Scope.self))
        case .status: Shape.Member(key.rawValue, .text(pattern: StatusRange.pattern))
        case .code: Shape.Member(key.rawValue, .choice(codes))
        case .container, .zone, .recordType, .user, .device, .fault: .text(key.rawValue)
        }
    }

    /// Sets a part to what a request asks for.
    ///
    /// - Throws: ``MockError`` with the nearest of what it can be.
    mutating func set(_ key: Key, to text: String) throws(MockError) {
        func oneOf(_ names: [String]) -> MockError {
            MockError(
                "unknown \(key.rawValue) \"\(text.prefix(80))\"; nearest: "
                    + (NearestName.closest(to: text, among: names) ?? ""))
        }
        switch key {
        case .operation:
            guard let known = FaultOperation(text) else { throw oneOf(FaultOperation.names) }
            operation = known
        case .container: container = Glob(text)
        case .environment:
            guard let known = Container.Environment(rawValue: text) else {
                throw oneOf(Container.Environment.allCases.map(\.rawValue))
            }
            environment = known
        case .scope:
            guard let known = Database.Scope(rawValue: text) else {
                throw oneOf(Database.Scope.allCases.map(\.rawValue))
            }
            scope = known
        case .zone: zone = Glob(text)
        case .recordType: recordType = Glob(text)
        case .user: user = Glob(text)
        case .device: device = Glob(text)
        case .status:
            guard let known = StatusRange(text) else {
                throw MockError("status \"\(text.prefix(80))\" must be like 409 or 4xx")
            }
            status = known
        case .code:
            guard Self.codes.contains(text) else { throw oneOf(Self.codes) }
            code = text
        case .fault: fault = Glob(text)
        }
    }

    /// Reads its keys of an object, which may have others.
    init(_ body: JSONValue) throws(MockError) {
        self.init()
        for key in Key.allCases {
            guard let value = body.present(key.rawValue) else { continue }
            if key == .status, let number = value.int64 {
                try set(key, to: "\(number)")
            } else {
                guard let text = value.string else { throw value.refusal("must be text") }
                do throws(MockError) {
                    try set(key, to: text)
                } catch {
                    throw value.refusal(error.reason)
                }
            }
        }
    }
}
