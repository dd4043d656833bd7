package import Basics
package import CloudModel
package import MockFaults

/// Names, commands and rules that many tests of the mock server use.
package enum Samples {
    package static let main = container("iCloud.com.example.myexampleapp")
    package static let other = container("iCloud.com.example.other")
    package static let start = Timestamp(milliseconds: 1_768_465_800_000)

    package static func container(_ text: String) -> Container.ID {
        guard let id = Container.ID(text) else { preconditionFailure("malformed: \(text)") }
        return id
    }

    package static func address(
        _ scope: Database.Scope = .private, _ container: Container.ID = main
    ) -> Database.Address {
        Database.Address(container: container, environment: .development, scope: scope)
    }

    package static func context(
        _ command: CloudCommand, scope: Database.Scope = .private, user: String? = "ann",
        container: Container.ID = main, at milliseconds: Int64 = 0
    ) -> FaultContext {
        FaultContext(
            command: command, address: address(scope, container), user: user,
            now: Timestamp(milliseconds: start.milliseconds + milliseconds))
    }

    package static func rule(_ text: String, id: String = "f") throws -> FaultRule {
        try FaultRule(id: id, text: text)
    }

    package static func deleteZones(_ names: String...) -> CloudCommand {
        .write(.modifyZones(names.map { .delete(RecordZone.ID($0)) }))
    }
}
