/// Why a table cannot be read.
struct TableError: Error, CustomStringConvertible {
    let file: String
    let line: Int
    let message: String

    var description: String { "\(file):\(line): error: \(message)" }
}
