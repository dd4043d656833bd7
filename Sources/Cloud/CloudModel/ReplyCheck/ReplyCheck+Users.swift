extension ReplyCheck {
    /// The answer to `users/discover` and `users/lookup/contacts`: users who were asked for, or any.
    func check(
        _ items: [UserIdentity.Item], discoveredBy infos: [UserIdentity.LookupInfo]?
    ) throws(Mismatch) {
        guard items.count <= infos?.count ?? Self.listMax else { throw .tooMany }
        let asked = infos.map(Set.init)
        for item in items {
            guard case .user(let user) = item else { throw .errorItem }
            try checkName(user.userRecordName)
            guard let asked else { continue }
            guard let info = user.lookupInfo, asked.contains(info) else { throw .notAsked }
        }
    }

    /// The answer to `users/lookup/email` and `users/lookup/id`, one item for each that was asked for.
    func check(
        _ items: [UserIdentity.Item], lookedUp infos: [UserIdentity.LookupInfo]
    ) throws(Mismatch) {
        try checkCount(items.count, infos.count)
        for (item, info) in zip(items, infos) {
            switch item {
            case .failure(let said, _):
                guard said == info else { throw .notAsked }
            case .user(let user):
                try checkName(user.userRecordName)
                switch info {
                case .userRecordName(let name):
                    guard user.userRecordName == name else { throw .notAsked }
                case .emailAddress, .phoneNumber:
                    guard user.lookupInfo == nil || user.lookupInfo == info else {
                        throw .notAsked
                    }
                }
            }
        }
    }
}
