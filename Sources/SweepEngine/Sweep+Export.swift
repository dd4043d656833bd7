import CloudModel
import Journal
import OpenSSL

extension Sweep {
    /// Writes the plan of a run to a file (JSON Lines, mode 0600, all or nothing).
    package func exportPlan(run id: String, to path: String) async throws {
        let journal = history.journal()
        let run = try await journal.run(id: id)
        guard let header = run.planHeader, let footer = run.planFooter else {
            throw JournalError(.noSuchRun, "run \(id) made no plan")
        }
        let newline: [UInt8] = [0x0A]
        var file = try WholeFile(path, nonce: Hexadecimal.encode(SecureRandom.bytes(4)))
        try file.write(header + newline)
        var next = 0
        while true {
            let page = try await journal.planLines(run: run.key, from: next, limit: 200)
            for (_, line) in page { try file.write(line + newline) }
            guard let last = page.last else { break }
            next = last.number + 1
        }
        try file.write(footer + newline)
        try file.finish()
    }
}
