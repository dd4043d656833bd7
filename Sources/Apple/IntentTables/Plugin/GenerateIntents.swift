import FoundationEssentials
import PackagePlugin

/// Has the Swift code of a target's tables (`*.intents`) written before the target is built.
@main
struct GenerateIntents: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tables = target.sourceFiles.map(\.url).filter { $0.pathExtension == "intents" }
            .sorted { $0.path < $1.path }
        let folder = context.pluginWorkDirectoryURL
        let code = tables.map {
            folder.appendingPathComponent($0.deletingPathExtension().lastPathComponent + ".swift")
        }
        return [
            .buildCommand(
                displayName: "Writing the code of \(tables.count) tables for \(target.name)",
                executable: try context.tool(named: "IntentTables").url,
                arguments: [folder.path] + tables.map(\.path), inputFiles: tables,
                outputFiles: code)
        ]
    }
}
