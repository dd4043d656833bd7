extension World {
    /// A record with a file beside it.
    struct File: Sendable {
        let thing: Thing
        let user: String
    }

    /// Which files there are, in some worlds: beside records in default zones and in what zones the
    /// person has, of both people.
    mutating func addFiles(_ luck: inout Luck) {
        for container in containers where luck.chance(20) {
            for user in ["ada", "ada", "ben"] {
                let scope = luck.pick(["private", "private", "public"])
                let made = writes.filter {
                    $0.user == user && $0.path == "\(container)/development/private/zones/modify"
                }
                let zone =
                    scope == "public" || made.isEmpty || luck.chance(50)
                    ? "_defaultZone" : luck.pick(Self.zones.filter { $0.isMade(by: made) } + [""])
                guard !zone.isEmpty else { continue }
                files.append(
                    File(
                        thing: Thing(
                            user: scope == "public" ? "" : user, container: container,
                            environment: "development", scope: scope, zone: zone, kind: .record,
                            name: "file-\(files.count)"), user: user))
            }
        }
        guard !files.isEmpty else { return }
        for index in script.indices where luck.chance(25) {
            script[index].faults.append(luck.pick(Self.downloadFaults))
        }
    }

    private static let downloadFaults = [
        nobodyMayAsk, "assets/download 2 times -> THROTTLED retry 2s",
        "1st assets/download -> cut after commit",
    ]
    /// No address says whether its file is there.
    static let nobodyMayAsk = "assets/download -> ACCESS_DENIED"
}

extension String {
    /// Whether one of these writes makes a zone of this name.
    fileprivate func isMade(by writes: [DeviceWrite]) -> Bool {
        writes.contains { $0.body.contains("\"zoneName\":\"\(self)\"") }
    }
}
