package import Basics
package import CloudModel
package import MockFaults

/// Which requests are meant, by what the journal has of them. Each part that is set must fit; in names `*` is
/// any run of characters and `?` any one.
package struct RequestPattern: Sendable, Hashable {
    /// The parts, as they are called in JSON and in queries.
    package enum Key: String, CaseIterable, Sendable {
        case operation, container, environment, scope, zone, recordType, user, device, status, code
        case fault
    }

    package var operation: FaultOperation?
    package var container: Glob?
    package var environment: Container.Environment?
    package var scope: Database.Scope?
    /// Of one of the zones that the request names.
    package var zone: Glob?
    /// Of one of the record types that it names.
    package var recordType: Glob?
    /// Without a caller, the name is empty.
    package var user: Glob?
    package var device: Glob?
    package var status: StatusRange?
    /// Of the request, or of one of its items; ``fine``: neither failed.
    package var code: String?
    /// Of one that fired.
    package var fault: Glob?

    package init() {}

    /// Matches a request in which nothing failed.
    static let fine = "OK"
    /// What a code can be.
    package static let codes =
        [fine] + CloudError.Code.allCases.filter(\.isServiceCode).map(\.rawValue)

    /// What is meant by a part; nil where all fit.
    func expected(_ key: Key) -> String? {
        switch key {
        case .operation: operation?.description
        case .container: container?.pattern
        case .environment: environment?.rawValue
        case .scope: scope?.rawValue
        case .zone: zone?.pattern
        case .recordType: recordType?.pattern
        case .user: user?.pattern
        case .device: device?.pattern
        case .status: status?.description
        case .code: code
        case .fault: fault?.pattern
        }
    }

    /// Whether all parts fit.
    package func matches(_ entry: RequestJournal.Entry) -> Bool {
        Key.allCases.allSatisfy { fits($0, entry) }
    }

    /// Whether one part fits.
    private func fits(_ key: Key, _ entry: RequestJournal.Entry) -> Bool {
        switch key {
        case .operation: operation?.matches(entry.operation) ?? true
        case .container: container?.matches(entry.container ?? "") ?? true
        case .environment: environment.map { $0 == entry.environment } ?? true
        case .scope: scope.map { $0 == entry.scope } ?? true
        case .zone: zone.map { entry.zones.contains(where: $0.matches) } ?? true
        case .recordType: recordType.map { entry.recordTypes.contains(where: $0.matches) } ?? true
        case .user: user?.matches(entry.user ?? "") ?? true
        case .device: device?.matches(entry.device ?? "") ?? true
        case .status: status?.range.contains(entry.status) ?? true
        case .code: code.map { entry.allCodes.contains($0) } ?? true
        case .fault: fault.map { entry.faults.contains(where: $0.matches) } ?? true
        }
    }

    /// The number of parts that a request must have.
    var partCount: Int { Key.allCases.count { expected($0) != nil } }

    /// A part in which a request differs from the pattern.
    package struct Difference: Sendable, Hashable {
        package let key: Key
        package let expected: String
        /// Empty where the request has nothing of the kind.
        package let found: String
    }

    /// In what a request is other than meant; nothing where it is meant.
    func differences(from entry: RequestJournal.Entry) -> [Difference] {
        Key.allCases.compactMap { key in
            guard let expected = expected(key), !fits(key, entry) else { return nil }
            return Difference(key: key, expected: expected, found: entry.found(key))
        }
    }
}

extension RequestPattern: CustomStringConvertible {
    /// In words, such as `records/modify with zone Notes, user ann`.
    package var description: String {
        let parts = Key.allCases.dropFirst().compactMap { key in
            expected(key).map { "\(key.rawValue) \($0.isEmpty ? "\"\"" : $0)" }
        }
        return (operation?.description ?? "any")
            + (parts.isEmpty ? "" : " with " + parts.joined(separator: ", "))
    }
}

extension RequestJournal.Entry {
    /// The codes of the request and of its items; ``RequestPattern/fine`` where nothing failed.
    var allCodes: [String] {
        let failed = (failure.map { [$0.code] } ?? []) + codes.keys.sorted()
        return failed.isEmpty && (200..<300).contains(status) ? [RequestPattern.fine] : failed
    }

    /// What the journal has of a part of a pattern.
    fileprivate func found(_ key: RequestPattern.Key) -> String {
        switch key {
        case .operation: operation
        case .container: container ?? ""
        case .environment: environment?.rawValue ?? ""
        case .scope: scope?.rawValue ?? ""
        case .zone: zones.joined(separator: ", ")
        case .recordType: recordTypes.joined(separator: ", ")
        case .user: user ?? ""
        case .device: device ?? ""
        case .status: "\(status)"
        case .code: allCodes.joined(separator: ", ")
        case .fault: faults.joined(separator: ", ")
        }
    }
}
