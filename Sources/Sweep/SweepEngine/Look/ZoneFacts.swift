import DeletionPlanning

/// What looks into a custom zone found out about it as a whole, as `detail` of its row keeps it.
struct ZoneFacts: Sendable, Hashable {
    var contents: Observation.Contents = .notLookedInto
    /// How many records it holds; nil: nobody counted.
    var records: Int?

    init(contents: Observation.Contents, records: Int? = nil) {
        self.contents = contents
        self.records = records
    }

    /// The contents in the last two bits, and above them one more than there are records.
    var detail: Int {
        let kind =
            switch contents {
            case .notLookedInto: 0
            case .nothingKept: 1
            case .holdsKept: 2
            }
        return kind | (records.map { $0 + 1 } ?? 0) << 2
    }

    /// Anything else than ``detail`` means that nobody looked.
    init(detail: Int) {
        switch detail & 3 {
        case 1: contents = .nothingKept
        case 2: contents = .holdsKept
        default: contents = .notLookedInto
        }
        records = detail >> 2 > 0 ? detail >> 2 - 1 : nil
    }
}
