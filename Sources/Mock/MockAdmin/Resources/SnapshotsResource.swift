import Basics
import CloudWire
import HTTPServer
import JSON
import MockService
import MockStore

/// The snapshots.
struct SnapshotsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint("GET", "snapshots", answers: ["snapshots"], "lists the snapshots", list),
        AdminEndpoint(
            "DELETE", "snapshots", query: ["name"], answers: ["snapshots"],
            "discards one snapshot", discard),
    ]

    private func list() -> RequestOutcome {
        .object { $0.member("snapshots", store.snapshotNames) }
    }

    private func discard() throws(MockError) -> RequestOutcome {
        guard let name = query["name"] else { throw MockError("needs ?name=SNAPSHOT") }
        guard store.snapshots.forget(name) else {
            let nearest = NearestName.closest(to: name, among: store.snapshotNames)
            throw MockError(
                status: 404,
                "there is no snapshot \"\(name)\"" + (nearest.map { "; nearest: \($0)" } ?? ""))
        }
        return list()
    }
}
