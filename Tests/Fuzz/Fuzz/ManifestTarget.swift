import Basics
import DataExport
import Evidence
import FileSystem
import OpenSSL

/// The manifest of an export and the files that it names, divided by bytes 0xFF, which no text has: the
/// manifest, the list of assets, the donations, one file of records, the signature. `#1` in the
/// manifest becomes the SHA-256 of the first file behind it and `$1` its size, and so on.
///
/// What is refused has a reason, and is refused again when it is held against another export.
func fuzzManifest(_ input: [UInt8]) {
    let sections = input.split(separator: 0xFF, omittingEmptySubsequences: false).map { Array($0) }
    let folder = FuzzFolder.emptied("export")
    for name in ["records", "assets"] { _ = FuzzFolder.emptied("export/\(name)") }
    let manifest = filled(sections[0], with: sections.dropFirst())
    _ = FuzzFolder.write(manifest, to: "export/manifest.json")
    for (name, bytes) in zip(names, sections.dropFirst()) {
        _ = FuzzFolder.write(bytes, to: "export/\(name)")
    }
    let files = Files(workingFolder: folder)
    do throws(ExportError) {
        let export = try ExportCheck(folder, in: files).run()
        precondition(
            export.manifestDigest == Hexadecimal.encode(SHA256.hash(manifest)),
            "another manifest was read")
        _ = (export.began.iso8601, export.ended.iso8601, export.totals)
        if let signature = export.signature {
            let statement = try? ExportStatement(envelope: signature, trust: noKeys)
            precondition(statement == nil, "a signature is believed without a trusted key")
        }
        let tally = try ExportComparison(of: folder, with: folder, in: files).run { _ in }
        precondition(tally.isEmpty, "an export differs from itself")
    } catch {
        precondition(!error.reason.isEmpty, "it is refused without a reason")
    }
}

/// No key is trusted.
private let noKeys = TrustFile([TrustFile.Entry]())

/// The files behind the manifest, in the order of the sections. The records are those of the zone Notes
/// in the private database of iCloud.com.example.app.
private let names = [
    "assets.jsonl", "donations.json", "records/\(records).jsonl", "manifest.signature.json",
]

private let records = Hexadecimal.encode(
    SHA256.hash(Array("22:iCloud.com.example.app7:private4:zone0:5:Notes".utf8)))

/// The manifest with what the marks stand for.
private func filled(_ manifest: [UInt8], with files: ArraySlice<[UInt8]>) -> [UInt8] {
    var filled: [UInt8] = []
    var rest = manifest[...]
    while let byte = rest.popFirst() {
        guard byte == 0x23 || byte == 0x24, let digit = rest.first, digit > 0x30,
            Int(digit - 0x30) <= files.count
        else {
            filled.append(byte)
            continue
        }
        rest.removeFirst()
        let file = files[files.startIndex + Int(digit - 0x31)]
        filled += Array(
            (byte == 0x23 ? Hexadecimal.encode(SHA256.hash(file)) : String(file.count)).utf8)
    }
    return filled
}
