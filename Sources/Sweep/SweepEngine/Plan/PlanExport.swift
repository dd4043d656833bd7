import FileSystem
import Journal

extension Sweep {
    /// Writes the plan of a run to a file (JSON Lines, mode 0600, all or nothing).
    package func exportPlan(run id: String, to path: String) async throws {
        let journal = world.makeJournal()
        let run = try await journal.run(id: id)
        guard let header = run.planHeader, let footer = run.planFooter else {
            throw JournalError(.noSuchRun, "run \(id) made no plan")
        }
        let newline: [UInt8] = [0x0A]
        var file = try WholeFile(path)
        try file.write(header + newline)
        var next = 0
        while true {
            let page = try await journal.planLines(run: run.key, from: next, limit: 200)
            for row in page { try file.write(row.line + newline) }
            guard let last = page.last else { break }
            next = last.number + 1
        }
        try file.write(footer + newline)
        try file.finish()
        let whole = Files(workingFolder: Files.currentFolder).absolute(path)
        // One in the state folder is removed with the run.
        if !whole.hasPrefix(world.stateFolder + "/") {
            try await journal.write([RunFiles.plan.change(whole)], run: run.key)
        }
        await journal.close()
    }
}
