/// What the address of a file answers.
package enum FileAnswer: Sendable {
    case file
    /// As much of it as was asked for.
    case part
    case otherBytes
    case empty
    case endless
    case cut
    case silence
    case close
    /// A status and nothing else, with headers.
    case status(Int, [String: String] = [:])

    var saying: Saying {
        switch self {
        case .file: .answer(Answer(200, body: FileHost.content))
        case .part: .answer(Answer(206, body: Array(FileHost.content.prefix(1))))
        case .otherBytes: .answer(Answer(200, body: Array("something else".utf8)))
        case .empty: .answer(Answer(200))
        case .endless:
            .bytesForEver(
                first: Answer(200).head(length: nil), then: [UInt8](repeating: 0x78, count: 65_536))
        case .cut:
            .bytesThenClose(Answer(200).head(length: 1000) + Array("half".utf8))
        case .silence: .silence
        case .close: .close
        case .status(let status, let headers):
            .answer(
                Answer(
                    status,
                    headers: headers.sorted { $0.key < $1.key }.map {
                        .init(name: $0.key, value: $0.value)
                    }))
        }
    }
}
