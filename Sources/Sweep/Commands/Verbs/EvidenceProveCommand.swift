import CommandLine
import Evidence
import FileSystem

/// Makes a new proof that a statement stands in the ledger, as it is today.
struct EvidenceProveCommand: Command {
    static let verb = Verb(
        "evidence prove", "renew the proof that a statement is in the ledger",
        discussion: [
            "The proof next to a statement dates from the day it was signed. An auditor with a "
                + "later checkpoint of the ledger needs a proof that is no older: this writes it, "
                + "RUN.proof next to RUN.json, without revealing any other statement."
        ],
        positionals: [AttestReading.positional],
        options: [EvidenceOptions.rehearsal, CommonOptions.state] + CommonOptions.output,
        examples: [.init("cksweep evidence prove RUN.json", "for an auditor with a checkpoint")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let files = environment.files
        let path = arguments.positionals.first ?? ""
        let folder = EvidenceOptions.stateFolder(arguments, in: environment)
        let place = AttestReading.stem(path) + ".proof"
        let proof: LedgerProof
        do {
            let envelope = try files.read(path, bytesMax: Attestation.envelopeBytesMax)
            proof = try Ledger(folder: folder + "/evidence/ledger").proof(
                of: envelope, signingWith: try KeyFolder(stateFolder: folder).key())
            try files.write(proof.bytes, to: place, mode: 0o600, replacing: true)
        } catch {
            throw CommandFailure(any: error, about: path)
        }
        console.event(
            Event("proven", [.init("index", proof.index), .init("proof", place)]))
        console.result(["PROVED: \(path) is entry \(proof.index + 1), by \(place)"])
        return .done
    }
}
