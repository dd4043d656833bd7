import Basics
import DonationSync
import Donations

/// Rows as the exchange reads and writes them.
extension StorageContract {
    func checkRows<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for kind in DonationKind.donations {
            var row = Sample.row(kind, "full", link: Sample.link("a"), record: "d-\(kind)") {
                $0.donation.group = "g"
                $0.donation.title = "title"
                $0.donation.payload = [1, 2, 3]
                $0.donation.donatedAt = Timestamp(milliseconds: 77)
                $0.device = "dev"
                $0.edits = 2
                $0.isRefused = true
                $0.context = ["a": 3]
                $0.generation = 4
            }
            let id = try storage.putRow(row)
            try hold(id.row != 0, "a stored row has a number")
            row.donation.row = id.row
            try same(try storage.row(id), row, "a stored row")
            try same(try storage.row(named: "d-\(kind)"), row, "a row by its record")
            row.donation.title = "other"
            row.recordName = nil
            row.tag = nil
            try same(try storage.putRow(row), id, "the id of a replaced row")
            try same(try storage.row(id), row, "a replaced row")
            try same(try storage.row(named: "d-\(kind)"), nil, "the record it had")
            try storage.removeRows([id])
            try same(try storage.row(id), nil, "a removed row")
        }
        try storage.putRow(Sample.row("1"))
        try storage.putRow(Sample.row("2") { $0.donation.isFromSiri = true })
        try storage.putRow(Sample.row(.savedActivity, "3") { $0.isParked = true })
        try storage.putRow(Sample.row(.searchableItem, "4"))
        try same(
            try storage.removeExchangedRows(includingItems: false), 2, "rows but items")
        try same(try storage.rows(after: nil, limit: 9).count, 2, "Siri's row and the item")
        try same(try storage.removeExchangedRows(includingItems: true), 1, "items")
        try storage.putRow(Sample.row(.savedActivity, "3") { $0.isParked = true })
        try same(try storage.removeAllRows(), 2, "all rows")
        try same(try storage.contents(), [], "none")
    }

    func checkRowOrder<Storage: SyncStorage>(_ storage: inout Storage) throws {
        var ids: [RowID] = []
        for kind in DonationKind.donations.reversed() {
            for number in 1...3 {
                ids.append(
                    try storage.putRow(
                        Sample.row(kind, "\(number)") { $0.donation.isFromSiri = number == 2 }))
            }
        }
        ids.sort()
        try same(try storage.rows(after: nil, limit: 100).map(\.id), ids, "all rows in order")
        var paged: [RowID] = []
        while paged.count < 100 {
            let page = try storage.rows(after: paged.last, limit: 2).map(\.id)
            if page.isEmpty { break }
            paged += page
        }
        try same(paged, ids, "all rows by pages")
    }

    func checkUploads<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try storage.putRow(Sample.row("new"))
        try storage.putRow(Sample.row("sent", record: "d-1"))
        try storage.putRow(Sample.row("edited", record: "d-2") { $0.edits = 1 })
        try storage.putRow(Sample.row("unanswered", record: "d-3") { $0.tag = nil })
        try storage.putRow(Sample.row("refused") { $0.isRefused = true })
        try storage.putRow(Sample.row("Siri's") { $0.donation.isFromSiri = true })
        try storage.putRow(Sample.row(.searchableItem, "item"))
        let rows = try storage.rowsToUpload(after: nil, includingItems: false, limit: 9)
        try same(
            rows.map(\.name).sorted(), ["edited", "new", "unanswered"], "what is to be uploaded")
        let all = try storage.rowsToUpload(after: nil, includingItems: true, limit: 9)
        try same(all.count, 4, "with items")
        try same(all.map(\.id), all.map(\.id).sorted(), "in order")
        try same(
            try storage.rowsToUpload(after: all[0].id, includingItems: true, limit: 2).map(\.id),
            all[1...2].map(\.id), "a page of it")
    }

    func checkUnseen<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try storage.putRow(Sample.row("old", record: "d-1") { $0.generation = 1 })
        try storage.putRow(Sample.row("new", record: "d-2") { $0.generation = 2 })
        try storage.putRow(Sample.row("unsent") { $0.generation = 1 })
        try storage.putRow(
            Sample.row("unanswered", record: "d-3") {
                $0.tag = nil
                $0.generation = 1
            })
        try same(
            try storage.rows(unseenSince: 2, limit: 9).map(\.name), ["old"], "unseen rows")
        try same(try storage.rows(unseenSince: 1, limit: 9).map(\.name), [], "none")
        try same(try storage.rows(unseenSince: 3, limit: 1).count, 1, "the limit")
    }

    func checkRecords<Storage: SyncStorage>(_ storage: inout Storage) throws {
        var row = Sample.row("row")
        row.donation.row = try storage.putRow(row).row
        var changed = row
        changed.donation.title = "not to be stored"
        changed.recordName = "d-1"
        changed.tag = "t"
        changed.generation = 5
        changed.isParked = true
        changed.device = "dev"
        changed.edits = 3
        changed.isRefused = true
        changed.context = ["a": 1]
        try storage.setRecord(changed)
        changed.donation.title = nil
        try same(try storage.row(row.id), changed, "a row with its record")
        try storage.setRecord(row)
        try same(try storage.row(row.id), row, "a row without its record")
        try storage.removeRows([row.id])
        try storage.setRecord(changed)
        try same(try storage.contents(), [], "a row that is not there")
    }

    func checkSameThings<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for kind in DonationKind.donations { try storage.putRow(Sample.row(kind, "1")) }
        for kind in DonationKind.donations {
            let found = try storage.row(like: Sample.row(kind, "1").donation)
            try same(
                found?.donation.kind, kind == .activity ? nil : kind, "the same thing")
            try same(try storage.row(like: Sample.row(kind, "2").donation), nil, "another thing")
        }
        try same(try storage.item("1")?.identifier, "1", "an item")
        try same(try storage.item("2"), nil, "no item")
    }

    func checkParking<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for (name, item) in [("1", "item"), ("2", "missing"), ("3", nil)]
            as [(String, String?)]
        {
            try storage.putRow(
                Sample.row(.savedActivity, name, record: "d-\(name)") {
                    $0.donation.relatedIdentifier = item
                    $0.isParked = true
                })
        }
        try storage.putRow(Sample.row(.searchableItem, "item"))
        try same(try storage.settleParkedRows(), 1, "rows that stay parked")
        try same(try storage.row(named: "d-1")?.isParked, false, "a row whose item is here")
        try same(try storage.row(named: "d-2")?.isParked, true, "a row whose item is not")
        let item = try storage.row(like: Sample.row(.searchableItem, "item").donation)
        if let item { try storage.removeRows([item.id]) }
        try same(try storage.settleParkedRows(), 2, "rows parked without the item")
    }
}
