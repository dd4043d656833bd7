package import CommandLine
package import Configuration

/// The names in the container lists that a command line is about, for a shell that completes them.
///
/// A list that cannot be read adds no names: an error must not appear in a line that is being typed.
package struct ListedNames {
    /// Files that are read for one completion.
    package static let filesMax = 64

    /// The lists that the line names, else all that a folder has.
    package let lists: [ContainerList]

    package init(_ typed: TypedOptions, in environment: Environment) {
        let files = environment.files
        let given = typed.texts(CommonOptions.config)
        let found = given.isEmpty ? (try? ContainerListLocator.all(files)) ?? [] : given
        lists = found.prefix(Self.filesMax).compactMap {
            try? ContainerListReader.read($0, files: files)
        }
    }

    package var containers: [String] { lists.flatMap { $0.containers.map(\.id.rawValue) } }

    package var zones: [String] {
        lists.flatMap { list in
            list.containers.flatMap(\.zones) + list.protect.compactMap(\.zone)
        }
    }
}
