/// Worlds in which nobody signs in: an operator's key sweeps the public records of a person who is named.
extension World {
    mutating func namePerson(_ luck: inout Luck) {
        wish.isNamed = true
        wish.scopes = ["public"]
        wish.deletesMine = false
        if luck.chance(30) { ungranted = Set(luck.some(Self.types, 40)) }
        // Keys are admitted until the server ends.
        setup.folder = nil
        for index in script.indices {
            script[index].moments.removeAll { [.signOut, .swap].contains($0.event) }
            // A key is on no device.
            script[index].faults = script[index].faults.map {
                $0.replacing(World.byDesk, with: "")
            }
        }
    }

    /// Whether something of the person is left that no key reaches: their own record.
    func isOutOfReach(_ contents: Contents) -> Bool {
        wish.isNamed
            && wish.mustGo(contents).contains { contents[$0]?.type == "Users" }
    }

    /// What the schema says of public records.
    var schema: String {
        let types = (Self.types + [Self.hiddenType]).map { type in
            let writer = ungranted.contains(type) ? "_creator" : "_icloud"
            return """
                RECORD TYPE \(type) ("___recordID" REFERENCE QUERYABLE, \
                "___createdBy" REFERENCE QUERYABLE, title STRING, photo ASSET, \
                GRANT WRITE TO "\(writer)", GRANT CREATE TO "_icloud", GRANT READ TO "_world");
                """
        }
        return "DEFINE SCHEMA " + types.joined(separator: " ")
    }
}
