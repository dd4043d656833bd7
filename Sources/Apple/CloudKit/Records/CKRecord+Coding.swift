import Basics
import CloudModel
internal import CoreLocation
public import Foundation

extension CKRecord {
    /// Writes what identifies the record and its version, without the app's fields.
    ///
    /// A record read from these with ``init(coder:)`` can be given fields and saved: it has the
    /// change tag. The archive's form is this library's own, which Apple's framework cannot read; the
    /// other way round, system fields that Apple's framework has written are read here.
    public func encodeSystemFields(with coder: NSCoder) {
        let contents = read { $0 }
        coder.encode(contents.recordType as NSString, forKey: "recordType")
        coder.encode(contents.recordID, forKey: "recordID")
        coder.encode(contents.scope.rawValue, forKey: "scope")
        coder.encode(contents.changeTag.map { $0 as NSString }, forKey: "recordChangeTag")
        coder.encode(contents.parent, forKey: "parent")
        coder.encode(contents.share, forKey: "share")
        coder.encode(contents.created, forKey: "created")
        coder.encode(contents.modified, forKey: "modified")
        if let sharing = contents.sharing { coder.encode(sharing) }
    }

    func encodeFields(with coder: NSCoder) {
        let contents = read { $0 }
        let plain = contents.fields.compactMapValues { $0.archived }
        coder.encode(plain as NSDictionary, forKey: "fields")
        coder.encode(Array(contents.changed) as NSArray, forKey: "changed")
        coder.encode(Array(contents.encrypted) as NSArray, forKey: "encrypted")
    }
}

extension RecordContents {
    init?(coder: NSCoder) {
        if let native = RecordContents(native: coder) {
            self = native
            return
        }
        guard let type = coder.decodeText("recordType"),
            let id = coder.decodeIfThere(CKRecord.ID.self, "recordID")
        else { return nil }
        self.init(recordType: type, recordID: id)
        scope = CKDatabase.Scope(rawValue: coder.decodeInteger(forKey: "scope")) ?? .private
        changeTag = coder.decodeText("recordChangeTag")
        parent = coder.decode([CKReference.self], "parent") as? CKReference
        share = coder.decode([CKReference.self], "share") as? CKReference
        created = coder.decodeStamp("created")
        modified = coder.decodeStamp("modified")
        sharing = type == CKRecord.SystemType.share ? coder.decodeSharing() : nil
        let classes = [NSDictionary.self, NSArray.self, NSString.self, NSData.self]
        let values = coder.decode(classes, "fields") as? [String: Any] ?? [:]
        for (key, value) in values {
            fields[key] = FieldSlot(archived: value)
        }
        noteArchived(changed: coder.decodeTexts("changed"))
        encrypted = coder.decodeTexts("encrypted")
    }
}

extension NSCoder {
    /// What stands under a key; Foundation on Linux traps when that is nothing.
    fileprivate func decode(_ classes: [AnyClass], _ key: String) -> Any? {
        containsValue(forKey: key) ? decodeObject(of: classes, forKey: key) : nil
    }

    fileprivate func encode(_ sharing: ShareContents) {
        let permission = CKShare.ParticipantPermission(sharing.publicPermission)
        encode(permission.rawValue, forKey: "publicPermission")
        encode(sharing.participants as NSArray, forKey: "participants")
        encode(sharing.shortGUID.map { $0 as NSString }, forKey: "shortGUID")
        encode(sharing.root, forKey: "root")
    }

    fileprivate func decodeSharing() -> ShareContents? {
        guard
            let permission = CKShare.ParticipantPermission(
                rawValue: decodeInteger(forKey: "publicPermission")),
            let participants = decode([NSArray.self, CKShare.Participant.self], "participants")
                as? [CKShare.Participant]
        else { return nil }
        return ShareContents(
            root: decodeIfThere(CKRecord.ID.self, "root"), permission.model, participants,
            shortGUID: decodeText("shortGUID"))
    }

    fileprivate func encode(_ stamp: Record.Stamp?, forKey key: String) {
        guard let stamp else { return }
        encode(stamp.timestamp.milliseconds, forKey: key + "At")
        encode(stamp.userRecordName as NSString, forKey: key + "By")
        encode(stamp.deviceID as NSString, forKey: key + "On")
    }

    fileprivate func decodeStamp(_ key: String) -> Record.Stamp? {
        guard let user = decodeText(key + "By"), let device = decodeText(key + "On") else {
            return nil
        }
        return Record.Stamp(
            timestamp: Timestamp(milliseconds: decodeInt64(forKey: key + "At")),
            userRecordName: user, deviceID: device)
    }

    fileprivate func decodeTexts(_ key: String) -> Set<String> {
        let texts = decode([NSArray.self, NSString.self], key) as? [String]
        return Set(texts ?? [])
    }
}
