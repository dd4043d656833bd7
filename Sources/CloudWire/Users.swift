internal import CloudModel
internal import JSON

extension AnswerReader {
    /// The caller, from a user dictionary, a bare identity, or the first of `users`.
    func user() throws(ShapeError) -> UserIdentity {
        var object = root
        var said: Set<String> = []
        if let name = try root.text("userRecordName") { said.insert(name) }
        for user in try items("users", max: 1) ?? [] {
            if said.isEmpty { object = user }
            said.insert(try user.required("userRecordName").text())
        }
        guard let name = said.first, !name.isEmpty else {
            throw .missing("userRecordName", in: object)
        }
        guard said.count == 1 else {
            throw ShapeError(reason: "the answer names two callers")
        }
        let names = object.optional("nameComponents")
        return UserIdentity(
            userRecordName: name,
            givenName: object["firstName"]?.string ?? names?["givenName"]?.string,
            familyName: object["lastName"]?.string ?? names?["familyName"]?.string)
    }
}

extension JSONWriter {
    mutating func user(_ user: UserIdentity, _ form: ReplyForm) {
        if form.operation == .currentUser {
            member("userRecordName", user.userRecordName)
            member("firstName", user.givenName)
            member("lastName", user.familyName)
        } else {
            // Documented inside `users`, read by clients from the top: both.
            identity(user)
            array("users", [user]) { json, user in json.object { $0.identity(user) } }
        }
    }

    private mutating func identity(_ user: UserIdentity) {
        member("userRecordName", user.userRecordName)
        guard user.givenName != nil || user.familyName != nil else { return }
        object("nameComponents") { json in
            json.member("givenName", user.givenName)
            json.member("familyName", user.familyName)
        }
    }
}
