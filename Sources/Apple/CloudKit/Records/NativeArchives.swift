import Basics
import CloudModel
import CoreLocation
import Foundation

/// Archives that Apple's framework has written, as apps bring them from a Mac or a phone.
enum NativeArchives {
    /// Lets unarchivers find this library's classes by the names that Apple's have.
    ///
    /// Foundation on Linux writes a class with its module's name, and looks for it by that.
    static func areReadable() { _ = registration }

    private static let registration: Void = {
        let classes: [(type: AnyClass, name: String)] = [
            (CKRecord.self, "CKRecord"), (CKShare.self, "CKShare"),
            (CKRecordID.self, "CKRecordID"), (CKRecordZoneID.self, "CKRecordZoneID"),
            (CKReference.self, "CKReference"),
        ]
        for known in classes { NSKeyedUnarchiver.setClass(known.type, forClassName: known.name) }
    }()
}

extension RecordContents {
    /// Reads the system fields of a record as Apple's framework writes them; nil for another form.
    ///
    /// Times, users and the change tag are read where they are there. Apple documents none of this;
    /// the names are those that archives of its systems have.
    init?(native coder: NSCoder) {
        NativeArchives.areReadable()
        guard let type = coder.decodeText("RecordType"),
            let id = coder.decodeIfThere(CKRecord.ID.self, "RecordID")
        else { return nil }
        self.init(recordType: type, recordID: id)
        scope = id.zoneID.ownerName == CKCurrentUserDefaultName ? .private : .shared
        changeTag = coder.decodeText("ETag")
        parent = coder.decodeIfThere(CKReference.self, "ParentReference")
        share = coder.decodeIfThere(CKReference.self, "ShareReference")
        created = coder.stamp("RecordCtime", "CreatorUserRecordID", "")
        modified = coder.stamp(
            "RecordMtime", "LastModifiedUserRecordID", coder.decodeText("ModifiedByDevice") ?? "")
    }
}

extension NSCoder {
    /// When something was written, by whom, and on which device; nil when the time is missing.
    fileprivate func stamp(_ time: String, _ user: String, _ device: String) -> Record.Stamp? {
        guard let date = decodeIfThere(NSDate.self, time) else { return nil }
        let name = decodeIfThere(CKRecord.ID.self, user)?.recordName
        return Record.Stamp(
            timestamp: Timestamp(
                Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)),
            userRecordName: name ?? CKCurrentUserDefaultName, deviceID: device)
    }
}
