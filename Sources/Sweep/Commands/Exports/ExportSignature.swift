import CommandLine
import DataExport
import Evidence
import FileSystem

/// What the signature of an export comes to.
enum ExportSignature {
    /// Keys that are trusted have signed it.
    case good(ExportStatement)
    /// It is signed, and nobody has said by which key it has to be.
    case unchecked
    case none

    static let key = Option(
        "key", value: .file, repeats: true,
        "public key in PEM, or file of trusted keys, that must have signed it")

    /// Holds the signature against the keys that the caller names, else against that of the state
    /// folder.
    ///
    /// - Throws: with 11 when it is not good, or keys are named and there is none; with 2 when a key
    ///   cannot be read.
    init(
        of export: VerifiedExport, _ arguments: Arguments, in environment: Environment
    ) throws(CommandFailure) {
        let trust = try Self.trust(
            arguments, environment,
            stateFolder: environment.stateFolder(
                arguments.text(CommonOptions.state),
                isRehearsal: export.subject.server.isRehearsal))
        guard let envelope = export.signature else {
            guard arguments.texts(Self.key).isEmpty else {
                throw CommandFailure(.evidenceInvalid, "the export is not signed")
            }
            self = .none
            return
        }
        guard let trust else {
            self = .unchecked
            return
        }
        do throws(EvidenceError) {
            let statement = try ExportStatement(envelope: envelope, trust: trust)
            guard statement.manifestDigest == export.manifestDigest else {
                throw EvidenceError(.otherThanExpected, "another manifest was signed")
            }
            self = .good(statement)
        } catch {
            throw CommandFailure(
                .evidenceInvalid, "the signature of the export is refused: \(error.reason)",
                remedy: arguments.texts(Self.key).isEmpty
                    ? "it was checked against the key of this state folder; --key names another"
                    : nil)
        }
    }

    /// The keys to hold it against; nil: there are none.
    private static func trust(
        _ arguments: Arguments, _ environment: Environment, stateFolder: String
    ) throws(CommandFailure) -> TrustFile? {
        do {
            let named = try AttestReading.trust(arguments, environment.files)
            if !named.entries.isEmpty { return named }
            guard let own = try KeyFolder(stateFolder: stateFolder).key() else { return nil }
            return TrustFile([TrustFile.Entry(name: "own", key: own.verifying)])
        } catch let error as FileError {
            throw CommandFailure(error)
        } catch let error as EvidenceError {
            throw CommandFailure(.usage, error.reason)
        } catch {
            throw CommandFailure(.internalError, "\(error)")
        }
    }

    /// For people.
    var words: String {
        switch self {
        case .good(let statement):
            "signed by \(statement.signers.map(\.shortID).joined(separator: ", ")) at "
                + statement.signedAt.iso8601
        case .unchecked: "signed, but the signature was not checked: name the key with --key"
        case .none: "not signed"
        }
    }

    /// For programs.
    var fields: [Event.Field] {
        switch self {
        case .good(let statement):
            [
                .init("signature", "good"),
                .init("keys", .list(statement.signers.map { .text($0.id) })),
                .init("signedAt", statement.signedAt.iso8601),
            ]
        case .unchecked: [.init("signature", "unchecked")]
        case .none: [.init("signature", "none")]
        }
    }
}
