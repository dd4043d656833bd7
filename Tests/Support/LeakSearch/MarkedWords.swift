/// Words of a fixture that stand nowhere else, by what they are of.
package struct MarkedWords: Sendable {
    /// Tokens and private keys.
    package var secrets: [String] = []
    /// Values of fields, and what people are called: given names, e-mail addresses.
    package var values: [String] = []
    /// What the service calls people.
    package var people: [String] = []
    /// Names of records and subscriptions.
    package var records: [String] = []
    package var zones: [String] = []

    package init() {}

    /// The words that a reader must not meet.
    func forbidden(to reader: Reader) -> [String] {
        switch reader {
        case .others: secrets + values + people + records + zones
        case .operatorOnScreen: secrets + values + people + records
        case .stateFolder: secrets + values
        }
    }

    /// Who gets to see something.
    package enum Reader: Sendable {
        /// Evidence, pages, tables, locks: whatever may leave the operator's machine.
        case others
        /// Text, JSON and logs, which name zones.
        case operatorOnScreen
        /// The journal and plans: what a run is resumed by, private to its owner.
        case stateFolder

        /// Who sees a file of a state folder.
        ///
        /// - Parameter path: From the state folder on.
        init(_ path: String) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let isWork =
                name.hasPrefix("journal.sqlite") || name.contains(".plan")
                || path.split(separator: "/").contains("donations")
            self = isWork ? .stateFolder : .others
        }
    }
}
