import CloudModel
package import CommandLine
import Host

/// What the demonstration sweeps, and what goes wrong on purpose.
package enum DemoScript {
    /// The person whose data goes.
    static let subject = "ann"
    /// The person whose data must not be touched.
    static let bystander = "bob"

    /// The app, and a container that only its sister app has.
    static let application = "com.example.myexampleapp"
    static let otherContainer = "iCloud.com.example.myotherapp"

    static let apiTokenVariable = "CKSWEEP_DEMO_API_TOKEN"
    static let webTokenVariable = "CKSWEEP_DEMO_WEB_AUTH_TOKEN"

    /// The containers, and the record types of their schemas.
    package static let containers: [(id: String, types: [String])] = [
        (
            "iCloud.com.example.myexampleapp",
            [
                "Album", "Article", "Bookmark", "Folder", "Note", "Person", "Photo", "Profile",
                "Visit",
            ]
        ),
        (
            "iCloud.com.example.myexampleapp.documents",
            ["Document", "Page", "RecentItem", "Template"]
        ),
        ("iCloud.com.example.myexampleapp.settings", ["Device", "Preference", "Setting"]),
    ]

    /// Faults set before the deletion, and what each rehearses.
    static let faults = [
        (
            rule: "1st zones/modify 2 times -> THROTTLED retry 0.3s",
            shows: "busy; retry later"
        ),
        (
            rule: "4th zones/modify -> cut after commit",
            shows: "committed; response lost"
        ),
    ]

    /// What somebody who has seen it may want to do, in lines that can be pasted as they stand.
    static let nextSteps = [
        (
            command: "cksweep containers init --from ../MyApp",
            purpose: "a list of your own app's containers"
        ),
        (command: "cloudkit-mock serve", purpose: "a server for your client's tests"),
        (command: "cksweep help", purpose: "all verbs"),
    ]

    /// What makes a shell find this program; nil where it does.
    package static func pathLine(in environment: Environment) -> String? {
        let places = (environment.variable("PATH") ?? "").split(separator: ":")
        guard !places.contains(where: { environment.files.facts("\($0)/cksweep") != nil }) else {
            return nil
        }
        return OwnProgram.folder.map { "export PATH=\(ShellWord.quoted($0)):$PATH" }
    }

    /// The container list of the demonstration.
    static func list(url: String, authorityFile: String) -> [UInt8] {
        let entries = containers.enumerated().map { index, container -> Event.Value in
            var fields = [Event.Field("identifier", container.id)]
            if index == 0 { fields.append(.init("default", true)) }
            fields.append(.init("recordTypes", .list(container.types.map { .text($0) })))
            return .object(fields)
        }
        let list = Event(
            "list",
            [
                .init("version", 1),
                .init("application", .text(application)),
                .init("environment", "development"),
                .init(
                    "server", .object([.init("url", url), .init("ca", authorityFile)])),
                .init("containers", .list(entries)),
                .init(
                    "databases", .list([.text("private"), .text("shared"), .text("public")])),
                .init(
                    "credentials",
                    .object([
                        .init("apiToken", "env:\(apiTokenVariable)"),
                        .init("webAuthToken", "env:\(webTokenVariable)"),
                    ])),
            ])
        return Array(list.prettyText.utf8)
    }
}
