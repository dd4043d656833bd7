internal import CloudModel
internal import JSON

extension CommandDecoder {
    /// Whom to discover; nil where nobody is named: all whom the caller knows.
    func lookupInfos(_ root: JSONValue) throws(ShapeError) -> [UserIdentity.LookupInfo]? {
        guard root.optional("lookupInfos") != nil else { return nil }
        var infos: [UserIdentity.LookupInfo] = []
        for item in try items("lookupInfos", in: root, max: WireLimits.lookupsMax) {
            guard let info = try item.object().lookupInfo() else {
                throw .wrong(item, expected: "an emailAddress, a phoneNumber or a userRecordName")
            }
            infos.append(info)
        }
        return infos
    }

    /// What stands under `key` in each of `users`.
    func userLookups(_ key: String, _ root: JSONValue) throws(ShapeError) -> [String] {
        var names: [String] = []
        for item in try items("users", in: root, max: WireLimits.lookupsMax) {
            names.append(try item.object().required(key).text())
        }
        return names
    }
}

extension JSONValue {
    /// What this says a user is looked up by; nil where it says nothing.
    func lookupInfo() throws(ShapeError) -> UserIdentity.LookupInfo? {
        if let address = try text("emailAddress") { return .emailAddress(address) }
        if let number = try text("phoneNumber") { return .phoneNumber(number) }
        return try text("userRecordName").map { .userRecordName($0) }
    }

    /// What a user is called, from a dictionary of components, or a user dictionary's two names.
    var names: NameComponents? {
        var names = NameComponents()
        if let components = optional("nameComponents") {
            for (name, path) in NameComponents.parts {
                names[keyPath: path] = components[name]?.string
            }
        }
        names.givenName = self["firstName"]?.string ?? names.givenName
        names.familyName = self["lastName"]?.string ?? names.familyName
        return names.isEmpty ? nil : names
    }
}

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
            throw ShapeError(reason: "the response names two callers")
        }
        return UserIdentity(userRecordName: name, nameComponents: object.names)
    }

    /// The users whom the service found.
    func userList() throws(ShapeError) -> CloudReply? {
        guard let items = try items("users", max: ReplyCheck.listMax) else { return nil }
        var users: [UserIdentity.Item] = []
        for item in items {
            guard errors.error(in: item) == nil else {
                throw ShapeError(reason: "'\(item.path)' is an error where none is possible")
            }
            let info = try item.optional("lookupInfo")?.object().lookupInfo()
            users.append(.user(try identity(item, info)))
        }
        return .users(users)
    }

    /// One item for each user who was looked up.
    func userLookup(_ infos: [UserIdentity.LookupInfo]) throws(ShapeError) -> CloudReply? {
        let asked = infos.map { Subject(name: $0.text) }
        let found = try items("users", for: asked) { item throws(ShapeError) in
            let key = infos.first?.key ?? "userRecordName"
            return try item.text(key).map { Subject(name: $0) }
        }
        guard let found else { return nil }
        var users: [UserIdentity.Item] = []
        for (item, info) in zip(found, infos) {
            if let error = errors.error(in: item) {
                users.append(.failure(info, error))
            } else {
                let address = try item.text("emailAddress").map {
                    UserIdentity.LookupInfo.emailAddress($0)
                }
                users.append(.user(try identity(item, address)))
            }
        }
        return .users(users)
    }

    func identity(
        _ object: JSONValue, _ info: UserIdentity.LookupInfo?
    ) throws(ShapeError) -> UserIdentity {
        guard let name = try object.filledText("userRecordName") else {
            throw .missing("userRecordName", in: object)
        }
        return UserIdentity(
            userRecordName: name, nameComponents: object.names, lookupInfo: info)
    }
}

extension UserIdentity.LookupInfo {
    /// What it is called on the wire.
    fileprivate var key: String {
        switch self {
        case .emailAddress: "emailAddress"
        case .phoneNumber: "phoneNumber"
        case .userRecordName: "userRecordName"
        }
    }

    fileprivate var text: String {
        switch self {
        case .emailAddress(let text), .phoneNumber(let text), .userRecordName(let text): text
        }
    }
}

extension JSONWriter {
    mutating func lookupInfo(_ info: UserIdentity.LookupInfo) {
        object { $0.member(info.key, info.text) }
    }

    mutating func user(_ user: UserIdentity, _ form: ReplyForm) {
        if form.operation == .currentUser {
            userDictionary(user)
        } else {
            // Documented inside `users`, read by clients from the top: both.
            identity(user)
            array("users", [user]) { json, user in json.object { $0.identity(user) } }
        }
    }

    /// Identities, or the user dictionaries of the older lookups.
    mutating func users(_ items: [UserIdentity.Item], _ form: ReplyForm) {
        let isLookup =
            form.operation == .lookUpUsersByEmail || form.operation == .lookUpUsersByID
        array("users", items) { json, item in
            json.object { json in
                switch item {
                case .user(let user) where isLookup: json.userDictionary(user)
                case .user(let user): json.identity(user)
                case .failure(let info, let error):
                    json.member(info.key, info.text)
                    json.error(error, form)
                }
            }
        }
    }

    private mutating func userDictionary(_ user: UserIdentity) {
        member("userRecordName", user.userRecordName)
        member("firstName", user.givenName)
        member("lastName", user.familyName)
        if case .emailAddress(let address)? = user.lookupInfo { member("emailAddress", address) }
    }

    /// A user identity, as in answers about users and in a share's participants; nobody is known
    /// by an empty record name.
    mutating func identity(_ user: UserIdentity) {
        if !user.userRecordName.isEmpty { member("userRecordName", user.userRecordName) }
        if let info = user.lookupInfo { object("lookupInfo") { $0.member(info.key, info.text) } }
        guard let names = user.nameComponents else { return }
        object("nameComponents") { json in
            for (name, path) in NameComponents.parts { json.member(name, names[keyPath: path]) }
        }
    }
}
