package import CommandLine
package import Configuration

extension Environment {
    /// What configuration is read from.
    package var source: ConfigurationSource {
        ConfigurationSource(files: files, variables: variables)
    }
}
