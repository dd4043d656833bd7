package import FileSystem

/// Holds two exports side by side: what has come, gone and changed in between. Contacts nobody, and
/// keeps one record of each in memory.
package struct ExportComparison: Sendable {
    /// How many differences there are of each kind.
    package struct Tally: Sendable, Hashable {
        package var added = 0
        package var removed = 0
        package var changed = 0
        package var isEmpty: Bool { added + removed + changed == 0 }
    }

    private let old: String
    private let new: String
    private let files: Files

    package init(of old: String, with new: String, in files: Files) {
        self.old = files.absolute(old)
        self.new = files.absolute(new)
        self.files = files
    }

    /// Checks both, then tells of every difference as it is found.
    ///
    /// - Throws: `notAnExport` or `damaged` before anything is told.
    package func run(
        _ tell: (ExportDifference) -> Void
    ) throws(ExportError) -> Tally {
        var manifests: [[String: ManifestFile]] = []
        for folder in [old, new] {
            _ = try ExportCheck(folder, in: files).run()
            let manifest = try ExportManifest.read(in: folder, files).manifest
            manifests.append(
                Dictionary(manifest.files.map { ($0.path, $0) }, uniquingKeysWith: { $1 }))
        }
        var tally = Tally()
        func note(_ difference: ExportDifference) {
            switch difference.change {
            case .added: tally.added += 1
            case .removed: tally.removed += 1
            case .changed: tally.changed += 1
            }
            tell(difference)
        }
        for path in Set(manifests[0].keys).union(manifests[1].keys).sorted() {
            let (before, after) = (manifests[0][path], manifests[1][path])
            // Equal bytes are equal in everything.
            if let before, let after, before.digest == after.digest { continue }
            switch path {
            case ExportPath.donations:
                note(.donations(before == nil ? .added : after == nil ? .removed : .changed))
            case ExportPath.assetList: try compareAssets(note)
            default:
                guard let part = (before ?? after)?.part else { continue }
                try compareItems(
                    part, before.map { "\(old)/\($0.path)" }, after.map { "\(new)/\($0.path)" },
                    note)
            }
        }
        return tally
    }

    private func compareItems(
        _ part: ExportPart, _ before: String?, _ after: String?,
        _ note: (ExportDifference) -> Void
    ) throws(ExportError) {
        func item(
            _ change: ExportDifference.Change, _ line: RecordLine, _ fields: [String] = []
        ) -> ExportDifference {
            .item(
                change, part.container, part.scope, zone: part.zone, name: line.name,
                fields: fields)
        }
        try merge(before, after) { (line) throws(ExportError) in
            let read = try RecordLine(line)
            return (read.name, read)
        } _: { left, right in
            switch (left, right) {
            case (let left?, let right?):
                guard left.bytes != right.bytes else { return }
                note(item(.changed, right.value, Self.changedFields(left.value, right.value)))
            case (let left?, nil): note(item(.removed, left.value))
            case (nil, let right?): note(item(.added, right.value))
            case (nil, nil): return
            }
        }
    }

    private static func changedFields(_ left: RecordLine, _ right: RecordLine) -> [String] {
        let (before, after) = (left.fields, right.fields)
        return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    }

    private func compareAssets(_ note: (ExportDifference) -> Void) throws(ExportError) {
        let list = ExportPath.assetList
        try merge("\(old)/\(list)", "\(new)/\(list)") { (line) throws(ExportError) in
            guard let asset = AssetLine(line) else {
                throw ExportError(.damaged, "\(list) is not in the format of an export")
            }
            return (asset.sha256, asset)
        } _: { left, right in
            if let gone = left?.value, right == nil {
                note(.asset(.removed, sha256: gone.sha256, bytes: gone.bytes))
            } else if let come = right?.value, left == nil {
                note(.asset(.added, sha256: come.sha256, bytes: come.bytes))
            }
        }
    }

    // MARK: Two sorted files

    private struct Line<Value> {
        let name: [UInt8]
        let value: Value
        let bytes: [UInt8]
    }

    /// Walks through two files of lines that are sorted by name as bytes, and meets each name once.
    ///
    /// - Parameter before: nil: there is none, and all is new. Likewise `after`.
    private func merge<Value>(
        _ before: String?, _ after: String?,
        _ read: ([UInt8]) throws(ExportError) -> (name: String, value: Value),
        _ meet: (Line<Value>?, Line<Value>?) -> Void
    ) throws(ExportError) {
        func reader(_ path: String?) throws(ExportError) -> LineReader? {
            guard let path else { return nil }
            return try LineReader(path, in: files)
        }
        func next(_ reader: LineReader?) throws(ExportError) -> Line<Value>? {
            guard let bytes = try reader?.next() else { return nil }
            let (name, value) = try read(bytes)
            return Line(name: Array(name.utf8), value: value, bytes: bytes)
        }
        let (olds, news) = (try reader(before), try reader(after))
        var (left, right) = (try next(olds), try next(news))
        while left != nil || right != nil {
            let takesLeft = right.map { right in
                left.map { !right.name.lexicographicallyPrecedes($0.name) } ?? false
            }
            let takesRight = left.map { left in
                right.map { !left.name.lexicographicallyPrecedes($0.name) } ?? false
            }
            let (isLeft, isRight) = (takesLeft ?? true, takesRight ?? true)
            meet(isLeft ? left : nil, isRight ? right : nil)
            if isLeft { left = try next(olds) }
            if isRight { right = try next(news) }
        }
    }
}
