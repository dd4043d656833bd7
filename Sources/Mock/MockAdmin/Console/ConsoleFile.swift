import CloudModel
package import HTTPServer
import MockFaults

/// A file of the console, the page at `/` that shows what the administration reports and does what it
/// can do. The program carries the files as they are in this folder.
package struct ConsoleFile: Sendable {
    /// Where the files but the page itself are.
    static let pathPrefix = "/_mock/console/"
    /// Nothing from elsewhere, nothing inline, and no site may frame it.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private let type: String
    private let bytes: [UInt8]

    /// The file of a path; nil: it leads to none.
    package static func find(_ path: String) -> ConsoleFile? {
        if path == "/" { return ConsoleFile(type: "text/html", bytes: PackageResources.index_html) }
        guard path.hasPrefix(pathPrefix) else { return nil }
        return files[String(path.dropFirst(pathPrefix.count))]
    }

    private static let files: [String: ConsoleFile] = [
        "console.css": ConsoleFile(type: "text/css", bytes: PackageResources.console_css),
        "icon.svg": ConsoleFile(type: "image/svg+xml", bytes: PackageResources.icon_svg),
        "simulate.js": script(PackageResources.simulate_js),
        "api.js": script(PackageResources.api_js),
        "asset.js": script(PackageResources.asset_js),
        "clock.js": script(PackageResources.clock_js),
        "console.js": script(PackageResources.console_js),
        "data.js": script(PackageResources.data_js),
        "database.js": script(PackageResources.database_js),
        "devices.js": script(PackageResources.devices_js),
        "dialog.js": script(PackageResources.dialog_js),
        "dom.js": script(PackageResources.dom_js),
        "download.js": script(PackageResources.download_js),
        "edit.js": script(PackageResources.edit_js),
        "explain.js": script(PackageResources.explain_js),
        "faults.js": script(PackageResources.faults_js),
        "feed.js": script(PackageResources.feed_js),
        "find.js": script(PackageResources.find_js),
        "findings.js": script(PackageResources.findings_js),
        "gates.js": script(PackageResources.gates_js),
        "journal.js": script(PackageResources.journal_js),
        "life.js": script(PackageResources.life_js),
        "list.js": script(PackageResources.list_js),
        "people.js": script(PackageResources.people_js),
        "places.js": script(PackageResources.places_js),
        "record.js": script(PackageResources.record_js),
        "repeat.js": script(PackageResources.repeat_js),
        "request.js": script(PackageResources.request_js),
        "server.js": script(PackageResources.server_js),
        "switches.js": script(PackageResources.switches_js),
        "token.js": script(PackageResources.token_js),
        "values.js": script(PackageResources.values_js),
        "worlds.js": script(PackageResources.worlds_js),
        "zone.js": script(PackageResources.zone_js),
    ]

    private static func script(_ bytes: [UInt8]) -> ConsoleFile {
        ConsoleFile(type: "text/javascript", bytes: bytes)
    }

    package var response: HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                "content-type": type + "; charset=UTF-8", "cache-control": "no-cache",
                "content-security-policy": Self.policy, "x-content-type-options": "nosniff",
                "referrer-policy": "same-origin", "cross-origin-opener-policy": "same-origin",
                "cross-origin-resource-policy": "same-origin",
            ], body: bytes)
    }
}
