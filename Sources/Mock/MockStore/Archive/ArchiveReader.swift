import Basics
import CloudModel
import FileSystem
import JSON
import OpenSSL
import SQLite

/// Puts an archive in the place of all that a store holds, line by line, in the open transaction.
///
/// A line is taken only as ``ArchiveWriter`` writes it, so that what was put in is written again with the
/// same bytes.
final class ArchiveReader {
    /// What may come next, in the order in which it comes.
    private enum Stage {
        case head, settings, store
        /// Rows of a section, or of a later one.
        case rows(Int)
        case assets, over
    }

    private let store: MockStore
    private let readSettings: (JSONValue) throws(ArchiveError) -> Void
    private var stage = Stage.head
    private var hash: SHA256? = SHA256()
    private var number = 0
    private var told: ArchiveStore?
    private var latest: [Value] = []
    private var rowCounts: [String: Int] = [:]
    private var asset: ArchiveAsset?
    private var latestAsset = ""
    /// Files that are in their places, to be settled.
    private(set) var placed: [AssetDigest] = []
    /// Whether the store had given tokens before.
    private var hadFeeds = false
    /// Numbers of histories that may be in tokens.
    private var knownEpochs: Set<Int64> = []

    private var tables: StoreTables { store.context.tables }

    /// - Parameter settings: Receives the value of the line with the settings of the server.
    init(
        _ store: MockStore, settings: @escaping (JSONValue) throws(ArchiveError) -> Void
    ) {
        self.store = store
        readSettings = settings
    }

    /// Rows that were put in.
    var rows: Int { rowCounts.values.reduce(0, +) }
    func rows(_ section: String) -> Int { rowCounts[section] ?? 0 }

    /// Empties the store.
    func begin() throws(CloudError) {
        try tables.beginIfNeeded()
        hadFeeds = try tables.number("SELECT 1 FROM databases LIMIT 1") != nil
        knownEpochs = Set(
            try tables.rows(
                "SELECT epoch FROM epochs UNION SELECT value FROM meta WHERE key = 'epoch'"
            ) { $0.int64(at: 0) })
        store.snapshots.forgetAll()
        for table in ArchiveSection.all.map(\.table)
            + ["names", "links", "doomed", "asset_links", "uploads"]
        {
            try tables.run("DELETE FROM \(table)")
        }
        // Rows of files stay until their collector has seen that nobody has them.
        store.assets.mayHaveGarbage = true
    }

    /// Takes a line, without its line feed.
    func take(_ line: [UInt8]) throws(MockStoreError) {
        number += 1
        do throws(ArchiveError) {
            try read(line)
        } catch {
            throw error.inLine(number).storeError
        }
        if let failure { throw failure }
    }

    private func read(_ line: [UInt8]) throws(ArchiveError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONDocument.parse(
                line, limits: JSONLimits(bytesMax: ArchiveFormat.lineBytesMax)
            ).root
        } catch {
            throw ArchiveError(column: error.column, "is not JSON: \(error.reason)")
        }
        guard json.kind == .object, json.count == 1,
            let member = json.members.first(where: { _ in true })
        else { throw ArchiveError("a line must be an object with one key") }
        try take(member.key, member.value, line)
        hash?.update(line + [0x0A])
    }

    /// Why the store or the disk did not take what a line tells.
    private var failure: MockStoreError?

    private func take(
        _ key: String, _ value: JSONValue, _ line: [UInt8]
    ) throws(ArchiveError) {
        switch (stage, key) {
        case (.head, ArchiveFormat.head):
            guard let format = value["format"]?.int64, format >= 1 else {
                throw ArchiveError(value, "needs \"format\": \(ArchiveFormat.number)")
            }
            guard format <= ArchiveFormat.number else {
                throw ArchiveError(
                    value,
                    "the format \(format) is newer than \(ArchiveFormat.number), the newest "
                        + "supported one")
            }
            try require(line, ArchiveWriter.head)
            stage = .settings
        case (.head, _):
            throw ArchiveError(
                "an archive begins with the line "
                    + String(decoding: ArchiveWriter.head, as: UTF8.self).dropLast())
        case (.settings, ArchiveFormat.settings):
            try readSettings(value)
            stage = .store
        case (.settings, _):
            throw ArchiveError("expected the line \"\(ArchiveFormat.settings)\"")
        case (.store, ArchiveFormat.store):
            let told = try ArchiveStore(value)
            try require(line, told.line)
            self.told = told
            stage = .rows(0)
        case (.store, _): throw ArchiveError("expected the line \"\(ArchiveFormat.store)\"")
        case (.over, _): throw ArchiveError("nothing may follow the line \"\(ArchiveFormat.end)\"")
        case (_, ArchiveFormat.bytes): try takeBytes(value, line)
        case (_, _) where asset != nil: throw ArchiveError("expected more bytes of the asset")
        case (_, ArchiveFormat.asset): try takeAsset(value, line)
        case (_, ArchiveFormat.end): try takeEnd(value, line)
        case (.rows(let place), _): try takeRow(key, value, line, from: place)
        case (.assets, _):
            throw ArchiveError("expected an asset, or the line \"\(ArchiveFormat.end)\"")
        }
    }

    /// Refuses a line that is written otherwise than archives are.
    private func require(_ line: [UInt8], _ expected: [UInt8]) throws(ArchiveError) {
        let whole = line + [0x0A]
        guard whole != expected else { return }
        let place = zip(whole, expected).prefix { $0 == $1 }.count
        let column = String(decoding: whole[..<place], as: UTF8.self).count + 1
        let rest = String(decoding: expected[place...].prefix(120), as: UTF8.self)
        throw ArchiveError(
            column: column,
            "expected: \(rest.split(separator: "\n").first ?? "the end of the line")")
    }

    // MARK: - Rows

    private func takeRow(
        _ key: String, _ value: JSONValue, _ line: [UInt8], from place: Int
    ) throws(ArchiveError) {
        let sections = ArchiveSection.all
        guard let found = sections.firstIndex(where: { $0.name == key }) else {
            let near = NearestName.hint(for: key, among: sections.map(\.name))
            throw ArchiveError("there are no lines \"\(key)\"\(near)")
        }
        guard found >= place else {
            throw ArchiveError(
                "a \(key) is after \(sections[place].name) lines, not before them")
        }
        let section = sections[found]
        let row = try section.row(value)
        if found == place, !latest.isEmpty, !section.isOrdered(latest, row) {
            throw ArchiveError(
                value, "this \(key) must be before the previous line, or is repeated")
        }
        let written: [UInt8]
        do throws(MockStoreError) {
            written = try section.line(row)
        } catch {
            throw ArchiveError(value, error.description)
        }
        try require(line, written)
        stage = .rows(found)
        latest = row
        rowCounts[key, default: 0] += 1
        do throws(SQLiteError) {
            let statement = try tables.connection.prepare(section.insertion)
            for (index, value) in row.enumerated() { statement.bind(index + 1, value) }
            try statement.run()
        } catch {
            guard error.isConstraint else { return fail(StoreTables.storeError(error)) }
            throw ArchiveError(value, "another \(key) has this position already")
        }
        guard key == "record", case .integer(let zone) = row[0] else { return }
        storing { () throws(CloudError) in try addToRecord(row, in: zone) }
    }

    /// What follows from a record's row.
    private func addToRecord(_ row: [Value], in zone: Int64) throws(CloudError) {
        guard let name = row[1].string, let seq = row[2].int64, let tag = row[4].int64 else {
            return
        }
        try tables.run("INSERT INTO names VALUES (?, ?, ?)", zone, name, seq)
        guard let type = row[3].string,
            let record = StoredRecord(
                name: name, type: type, seq: seq, tag: tag, body: row[5].bytes ?? [])
        else { return }
        try tables.links.relink(name, in: zone, from: [], to: record.links)
        try tables.assets.relink(name, in: zone, from: [], to: record.assets)
    }

    /// Remembers a failure that is none of the archive.
    private func fail(_ error: MockStoreError) { if failure == nil { failure = error } }

    private func storing(_ body: () throws(CloudError) -> Void) {
        do throws(MockStoreError) { try tables.translating(body) } catch { fail(error) }
    }

    // MARK: - Assets

    private func takeAsset(_ value: JSONValue, _ line: [UInt8]) throws(ArchiveError) {
        stage = .assets
        let asset = try ArchiveAsset(value)
        try require(line, asset.line)
        guard asset.digest.name > latestAsset else {
            throw ArchiveError(
                value, "this asset must be before the previous one, or is repeated")
        }
        latestAsset = asset.digest.name
        self.asset = asset
        do throws(FileError) {
            try asset.begin(on: try store.assets.disk())
        } catch {
            fail(MockStoreError(.failed, error.description))
        }
        try finishAsset(value)
    }

    private func takeBytes(_ value: JSONValue, _ line: [UInt8]) throws(ArchiveError) {
        guard let asset else { throw ArchiveError(value, "these bytes belong to no asset") }
        guard let bytes = value.string.flatMap({ Base64.decode($0) }),
            bytes.count == asset.nextCount
        else {
            throw ArchiveError(value, "must be \(asset.nextCount) bytes in Base64")
        }
        var writer = JSONWriter()
        writer.object { $0.member(ArchiveFormat.bytes, Base64.encode(bytes)) }
        writer.endLine()
        try require(line, writer.bytes)
        do throws(FileError) {
            try asset.write(bytes)
        } catch {
            fail(MockStoreError(.failed, error.description))
        }
        try finishAsset(value)
    }

    private func finishAsset(_ value: JSONValue) throws(ArchiveError) {
        guard failure == nil, let asset, asset.nextCount == 0 else { return }
        self.asset = nil
        do throws(CloudError) {
            guard let draft = asset.takeDraft() else { return }
            let file = try store.assets.finish(draft)
            placed.append(file.digest)
            guard file.digest == asset.digest else {
                throw CloudError(.badRequest, reason: "")
            }
            try store.assets.adopt(file)
        } catch {
            guard error.code == .badRequest else {
                return fail(MockStoreError(.failed, error.reason))
            }
            throw ArchiveError(value, "the bytes of the asset do not match its digest")
        }
    }

    // MARK: - The end

    private func takeEnd(_ value: JSONValue, _ line: [UInt8]) throws(ArchiveError) {
        let sha256 = Hexadecimal.encode(hash.take()?.finish() ?? [])
        try require(line, ArchiveWriter.end(lines: Int64(number - 1), sha256: sha256))
        stage = .over
        digest = sha256
    }

    private var digest = ""

    /// Says that there are no more lines; the rows hang together then.
    func finish() throws(MockStoreError) {
        guard case .over = stage, let told else {
            throw ArchiveError(
                line: number + 1, "the archive ends without the line \"\(ArchiveFormat.end)\""
            ).storeError
        }
        try tables.translating { () throws(CloudError) in
            if let problem = try ArchiveCheck.problem(tables, told, assets: placed) {
                throw CloudError(.badRequest, reason: problem)
            }
            try tables.setMeta("seed", told.seed)
            try tables.setMeta("incarnation", told.incarnation)
            try store.histories.begin(
                ofArchive: told.epoch, isFirst: !hadFeeds, besides: knownEpochs)
        }
        // Other names than those that were drawn where the archive comes from.
        let drawn = store.context.generator.next() ^ FNV1a.hash(digest)
        store.context.generator = SeededGenerator(seed: drawn)
        store.databases.forgetNumbers()
    }

    /// Leaves nothing behind of a file that is not whole.
    func drop() {
        asset?.takeDraft()?.drop()
        asset = nil
    }
}
