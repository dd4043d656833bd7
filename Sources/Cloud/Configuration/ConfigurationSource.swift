package import FileSystem

/// Where configuration comes from: files and variables. Nothing else of the world is looked at.
package struct ConfigurationSource: Sendable {
    package var files: Files
    package var variables: [String: String]

    package init(files: Files, variables: [String: String]) {
        self.files = files
        self.variables = variables
    }

    /// A variable's value; nil when it is unset or empty.
    package func variable(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
