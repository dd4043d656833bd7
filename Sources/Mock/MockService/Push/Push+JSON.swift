import CloudModel
import CloudWire
import JSON
import MockStore

extension Push {
    /// The push as devices get it.
    package var payload: [UInt8] {
        let whole = write(note)
        guard whole.count > WireLimits.pushBytesMax else { return whole }
        var short = note
        short.isPruned = true
        short.fields = []
        short.arguments = []
        let pruned = write(short)
        guard pruned.count > WireLimits.pushBytesMax else { return pruned }
        short.info = nil
        return write(short)
    }

    private func write(_ note: PushNote) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.object("aps") { $0.alert(of: note, badge: badge) }
            json.object("ck") { json in
                json.member("cid", note.address.container.rawValue)
                json.member("nid", identifier)
                if note.isPruned { json.member("p", 1) }
                json.object(note.kind.payloadKey) { $0.subject(of: note) }
            }
        }
        return json.bytes
    }
}

extension Subscription.Kind {
    /// Where a push has what it is about.
    fileprivate var payloadKey: String {
        switch self {
        case .query: "qry"
        case .zone: "fet"
        case .database: "met"
        }
    }
}

extension Subscription.Event {
    /// As `CKQueryNotification.Reason` numbers them.
    fileprivate var reason: Int {
        switch self {
        case .create: 1
        case .update: 2
        case .delete: 3
        }
    }
}

extension Database.Scope {
    /// As `CKDatabase.Scope` numbers them.
    fileprivate var number: Int {
        switch self {
        case .public: 1
        case .private: 2
        case .shared: 3
        }
    }
}

extension JSONWriter {
    fileprivate mutating func subject(of note: PushNote) {
        member("rid", note.recordName)
        member("zid", note.zoneID?.zoneName)
        member("zoid", note.zoneID?.ownerRecordName)
        member("sid", note.subscriptionID)
        member("fo", note.event?.reason)
        member("dbs", note.address.scope.number)
        guard !note.fields.isEmpty else { return }
        object("af") { json in
            for field in note.fields {
                switch field.value {
                case .int64(let number): json.member(field.name, number)
                case .double(let number) where number.isFinite: json.member(field.name, number)
                case .timestamp(let time): json.member(field.name, time.milliseconds)
                default: json.member(field.name, PushNote.text(of: field.value))
                }
            }
        }
    }

    fileprivate mutating func alert(of note: PushNote, badge: Int?) {
        guard let info = note.info else { return }
        let texts = [
            ("body", info.alertBody), ("loc-key", info.alertLocalizationKey),
            ("action-loc-key", info.alertActionLocalizationKey),
            ("launch-image", info.alertLaunchImage),
        ]
        if texts.contains(where: { $0.1 != nil }) {
            if texts.dropFirst().allSatisfy({ $0.1 == nil }) {
                member("alert", info.alertBody)
            } else {
                object("alert") { json in
                    for (name, text) in texts { json.member(name, text) }
                    if !note.arguments.isEmpty { json.member("loc-args", note.arguments) }
                }
            }
        }
        member("badge", badge)
        member("sound", info.soundName)
        member("category", info.category)
        if info.shouldSendContentAvailable == true { member("content-available", 1) }
    }
}
