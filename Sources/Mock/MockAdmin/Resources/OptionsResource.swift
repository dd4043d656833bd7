import CloudWire
import HTTPServer
import JSON
import MockService
import MockStore

/// The settings.
struct OptionsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "options", answers: .object(ServerOption.members), isStored: false,
            "lists all settings", show),
        AdminEndpoint(
            "PUT", "options", takes: .object(ServerOption.members),
            answers: .object(ServerOption.members), isStored: false,
            "changes the named settings", change),
    ]

    private func show() -> RequestOutcome { .object(admin.options.write) }

    private func change() throws(MockError) -> RequestOutcome {
        admin.options = try admin.options.changed(by: body)
        // What is done automatically from now on waits no longer.
        if store.options.upkeep == .auto { store.releasePushes() }
        return show()
    }
}
