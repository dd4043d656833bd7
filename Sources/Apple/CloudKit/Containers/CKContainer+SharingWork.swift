import CloudModel
import Foundation

// What the methods and the operations about sharing have in common.
extension CKContainer {
    /// Addresses and people in one request.
    private static let lookupsMax = 100

    /// What shares' addresses lead to, address by address.
    func metadatas(
        of urls: [URL], rootKeys: [CKRecord.FieldKey]?, fetchesRoot: Bool
    ) async throws(CKError) -> ItemResults<URL, CKShare.Metadata> {
        var found: ItemResults<URL, CKShare.Metadata> = []
        var rest = urls[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.lookupsMax))
            rest = rest.dropFirst(part.count)
            let guids = part.map { Self.shortGUID(in: $0) }
            let lookups = guids.compactMap { guid in
                guid.map {
                    ShareLookup($0, fetchesRoot: fetchesRoot, rootDesiredKeys: rootKeys)
                }
            }
            var answers = try await shares(.read(.resolveShares(lookups)), lookups.count)[...]
            for (url, guid) in zip(part, guids) {
                guard guid != nil, let answer = answers.popFirst() else {
                    let problem = CKError(.invalidArguments, "the URL is not the URL of a share")
                    found.append((url, .failure(problem)))
                    continue
                }
                found.append((url, metadata(answer)))
            }
        }
        return found
    }

    /// Accepts shares, share by share.
    func accepted(
        _ metadatas: [CKShare.Metadata]
    ) async throws(CKError) -> ItemResults<CKShare.Metadata, CKShare> {
        var found: ItemResults<CKShare.Metadata, CKShare> = []
        var rest = metadatas[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.lookupsMax))
            rest = rest.dropFirst(part.count)
            let ours = part.filter { $0.containerIdentifier == containerIdentifier }
            let lookups = ours.map { ShareLookup($0.shortGUID, fetchesRoot: false) }
            var answers = try await shares(.write(.acceptShares(lookups)), lookups.count)[...]
            for metadata in part {
                guard metadata.containerIdentifier == containerIdentifier,
                    let answer = answers.popFirst()
                else {
                    let problem = CKError(
                        .badContainer,
                        "the share is of the container \(metadata.containerIdentifier)")
                    found.append((metadata, .failure(problem)))
                    continue
                }
                found.append((metadata, self.metadata(answer).map { $0.share }))
            }
        }
        return found
    }

    private func shares(
        _ command: CloudCommand, _ count: Int
    ) async throws(CKError) -> [ShareMetadata.Item] {
        guard count > 0 else { return [] }
        let reply = try await publicCloudDatabase.ask { database throws(CloudError) in
            try await database.perform(command)
        }
        guard case .shares(let items) = reply, items.count == count else {
            throw CKError(.internalError, "the response is for other shares")
        }
        return items
    }

    private func metadata(_ item: ShareMetadata.Item) -> Result<CKShare.Metadata, CKError> {
        switch item {
        case .failure(_, let error): return .failure(publicCloudDatabase.itemError(error))
        case .metadata(let found):
            do throws(CKError) {
                return .success(try CKShare.Metadata(found))
            } catch {
                return .failure(error)
            }
        }
    }

    /// What the address of a share ends with, without its title; nil where it is none.
    private static func shortGUID(in url: URL) -> String? {
        let guid = url.lastPathComponent
        let isPlain = guid.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
        }
        return isPlain && !guid.isEmpty ? guid : nil
    }

    /// Users who let themselves be found, by what they are looked up by; others are left out.
    func users(
        by infos: [CKUserIdentity.LookupInfo]
    ) async throws(CKError) -> [CKUserIdentity.LookupInfo: CKUserIdentity] {
        var found: [CKUserIdentity.LookupInfo: CKUserIdentity] = [:]
        var rest = infos[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.lookupsMax)
            rest = rest.dropFirst(part.count)
            let asked = part.map(\.model)
            let reply = try await publicCloudDatabase.ask { database throws(CloudError) in
                try await database.read(.discoverUsers(asked))
            }
            guard case .users(let items) = reply else {
                throw CKError(.internalError, "the response has an unexpected form")
            }
            for case .user(let user) in items {
                guard let info = user.lookupInfo else { continue }
                found[CKUserIdentity.LookupInfo(info)] = CKUserIdentity(user)
            }
        }
        return found
    }

    /// Participants for shares, person by person.
    ///
    /// Whoever has no account, or does not let themselves be found, can be invited by an address
    /// or a number; the service finds out who it is when they accept.
    func participants(
        _ infos: [CKUserIdentity.LookupInfo]
    ) async throws(CKError) -> ItemResults<CKUserIdentity.LookupInfo, CKShare.Participant> {
        let users = try await users(by: infos.filter { $0.problem == nil })
        return infos.map { info in
            if let problem = info.problem {
                return (info, .failure(CKError(.invalidArguments, problem)))
            }
            if let user = users[info] {
                return (info, .success(CKShare.Participant(ShareParticipant(identity: user.model))))
            }
            guard info.userRecordID == nil else {
                return (info, .failure(CKError(.unknownItem, "there is no such user")))
            }
            let identity = UserIdentity(userRecordName: "", lookupInfo: info.model)
            return (info, .success(CKShare.Participant(ShareParticipant(identity: identity))))
        }
    }
}

extension CKUserIdentityLookupInfo {
    /// Why nobody can be looked up so; nil: somebody can.
    fileprivate var problem: String? {
        switch model {
        case .emailAddress(let text):
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts.contains("")
                ? nil : "the text is not an email address"
        case .phoneNumber(let text):
            return text.contains(where: \.isNumber) ? nil : "the text is not a telephone number"
        case .userRecordName(let name): return name.isEmpty ? "the record has no name" : nil
        }
    }
}

extension CKOperation {
    /// The container that the operation works in.
    ///
    /// - Throws: The operation's own refusal: cancelled, out of time.
    func targetContainer() throws(CKError) -> CKContainer {
        if let refusal = refusal() { throw refusal }
        return settings.container ?? .default()
    }
}
