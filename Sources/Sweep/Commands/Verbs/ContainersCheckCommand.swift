import CloudCommandLine
import CommandLine
import Configuration
import FileSystem

/// Compares the list with what the app's own files declare.
struct ContainersCheckCommand: Command {
    private static let from = Option(
        "from", value: .file, repeats: true,
        "file or folder with the app's sources (default: this folder)")

    static let verb = Verb(
        "containers check", "compare the list with what the app declares",
        discussion: [
            "Reads entitlements, Info.plist and other property lists, .mobileprovision and "
                + "project.pbxproj files below the given paths, and resolves build settings, also "
                + "from .xcconfig files. A declared container that is not listed is an error (exit "
                + "2) unless it is under notInScope with a reason: its data would be left behind.",
            "Project generators' files (project.yml of XcodeGen, app.json of Expo, and the "
                + "like) are read where identifiers are written out. A line that may declare a "
                + "container and cannot be interpreted is an error.",
            "Everything else that keeps a sweep from exiting 0 is reported with its line, as by "
                + "\"doctor\", and does not change the exit code: unknown record types, a token "
                + "that is not set.",
        ],
        options: [from, CommonOptions.config] + CommonOptions.output,
        examples: [
            .init(
                "cksweep containers check --from ../MyApp",
                "the app next to this folder")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let list = try ContainerList.read(arguments, in: environment)
        let given = arguments.texts(Self.from)
        let paths = given.isEmpty ? ["."] : given
        let scan: DeclarationScan
        do throws(FileError) {
            scan = try DeclarationScan(paths, files: environment.files)
        } catch {
            throw CommandFailure(error)
        }
        guard scan.fileCount > 0 || !scan.problems.isEmpty else {
            throw CommandFailure(
                .usage,
                "no entitlements, Info.plist, .mobileprovision, project.pbxproj or generator's "
                    + "file was found below \(paths.joined(separator: ", "))",
                remedy: "name the app with --from")
        }
        return report(ContainerComparison(list, scan), list, scan, console)
    }

    private func report(
        _ comparison: ContainerComparison, _ list: ContainerList, _ scan: DeclarationScan,
        _ console: Console
    ) -> VerbResult {
        var table = TextTable()
        for finding in comparison.findings {
            let (word, tone): (String, Style.Tone) =
                switch finding.state {
                case .listed: ("listed", .good)
                case .notInScope: ("not in scope", .faint)
                case .missing: ("NOT LISTED", .bad)
                case .undeclared: ("not declared", .caution)
                }
            table.add([
                .init(word, tone), .init(finding.id.rawValue), .init(finding.detail, .faint),
            ])
            console.event(
                Event(
                    "declared",
                    [
                        .init("identifier", finding.id.rawValue),
                        .init("state", finding.state.rawValue),
                        .init("detail", finding.detail),
                    ]))
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        for problem in scan.problems {
            console.environment.errors.write(
                console.errorStyle.text("error:", .bad) + " \(Visible.text(problem))\n")
            console.event(Event("problem", [.init("message", problem)]))
        }
        let missing = comparison.findings.filter { $0.state == .missing }.count
        let unlisted = comparison.findings.filter { $0.state == .undeclared }.count
        for finding in comparison.findings where finding.state == .undeclared {
            console.warning("\(finding.id) is in \(list.file), but the app does not declare it")
        }
        let obstacles = Obstacles(list, stateFolder: nil, in: console.environment)
        for obstacle in obstacles.all { console.event(obstacle.event) }
        let text = ObstacleText(obstacles.all).lines(console.style)
        if !text.isEmpty { console.result(text.joined(separator: "\n")) }
        let isFine = missing == 0 && scan.problems.isEmpty
        let counts =
            "\(isFine ? "CONTAINERS OK" : "CONTAINERS NOT OK"): \(Counts.some(scan.fileCount, "file")) read, "
            + "\(missing) declared but not in \(list.file), \(unlisted) in it but not declared, "
            + "\(scan.problems.count) unreadable"
        console.result(console.style.paragraph(counts).joined(separator: "\n"))
        return .status(isFine ? .done : .usage)
    }
}
