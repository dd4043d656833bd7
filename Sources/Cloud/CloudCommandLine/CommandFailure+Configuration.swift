package import CommandLine
package import Configuration

extension CommandFailure {
    package init(_ error: ConfigurationError) { self.init(.usage, error.description) }
}
