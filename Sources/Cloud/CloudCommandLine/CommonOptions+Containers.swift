package import CommandLine

extension CommonOptions {
    package static let config = Option(
        "config", short: "c", value: .file,
        "container list (default: the only file in Containers/)")
}
