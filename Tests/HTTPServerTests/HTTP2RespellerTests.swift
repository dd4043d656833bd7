import Foundation
import HTTPServer
import Testing

/// Paths in plain instead of code, as values: the code is any bytes here, and its plain spelling is
/// told by the tests, as nghttp2 does.
struct HTTP2RespellerTests {
    static var seeds: [UInt64] {
        let seed = ProcessInfo.processInfo.environment["CKSWEEP_SEED"].flatMap(UInt64.init)
        return seed.map { [$0] } ?? Array(1...200)
    }

    /// Sends bytes in pieces and tells plain spellings as nghttp2 would; gives what nghttp2 gets.
    private func pass(
        _ pieces: [[UInt8]], _ respeller: inout HTTP2Respeller, plain: [[UInt8]: [UInt8]],
        frames: [HTTP2Frame]
    ) -> [UInt8] {
        var given: [UInt8] = []
        var out: [UInt8] = []
        for piece in pieces {
            if respeller.respell(piece.span, into: &out) { given += out } else { given += piece }
            for frame in frames where frame.kind == .headers && respeller.isCurious {
                guard let coded = plain.keys.first(where: { holds(frame.payload, $0) }),
                    let text = plain[coded]
                else { continue }
                text.withUnsafeBufferPointer {
                    respeller.learn($0, stream: Int32(frame.stream), number: 2)
                }
            }
        }
        return given
    }

    /// What nghttp2 gets of bytes, where they are not passed as they are.
    private func change(_ bytes: [UInt8], by respeller: inout HTTP2Respeller) -> [UInt8]? {
        var out: [UInt8] = []
        return respeller.respell(bytes.span, into: &out) ? out : nil
    }

    private func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.count >= part.count
            && (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
    }

    private func request(_ stream: UInt32, _ coded: [UInt8], bit: UInt8 = 0x80) -> HTTP2Frame {
        let path = [0x04] + HTTP2Frame.length(coded.count, bit) + coded
        return HTTP2Frame(
            kind: .headers, flags: 4, stream: stream,
            payload: [0x83, 0x87] + path + [0x41, 1, 0x61])
    }

    @Test func `a path that comes again is in plain, with the frame's length`() {
        let coded = [UInt8](1...60)
        let text = [UInt8](repeating: 0x61, count: 200)
        let frames = [request(1, coded), request(3, coded)]
        var respeller = HTTP2Respeller()
        let given = pass(
            [HTTP2Frame.preface + frames[0].bytes, frames[1].bytes], &respeller,
            plain: [coded: text], frames: frames)
        #expect(
            given == HTTP2Frame.preface + frames[0].bytes + request(3, text, bit: 0).bytes)
    }

    @Test(arguments: [
        "short", "long", "other stream", "other field", "padded", "in parts", "plain", "table",
        "broken length",
    ])
    func `what is not surely the same passes as it is`(kind: String) {
        let coded = [UInt8](repeating: 7, count: kind == "short" ? 20 : kind == "long" ? 3000 : 60)
        var frame = request(1, coded, bit: kind == "plain" ? 0 : 0x80)
        switch kind {
        case "padded":
            frame.flags |= 8
            frame.payload = [1] + frame.payload + [0]
        case "in parts": frame.flags = 0
        case "table": frame.payload[2] = 0x84
        case "broken length": frame.payload[3] = 0xFE
        default: break
        }
        var respeller = HTTP2Respeller()
        #expect(change(HTTP2Frame.preface, by: &respeller) == nil)
        for _ in 0..<3 {
            #expect(change(frame.bytes, by: &respeller) == nil)
            [UInt8](repeating: 0x61, count: 90).withUnsafeBufferPointer {
                switch kind {
                case "other stream": respeller.learn($0, stream: 3, number: 2)
                case "other field": respeller.learn($0, stream: 1, number: 1)
                default: respeller.learn($0, stream: 1, number: 2)
                }
            }
        }
    }

    @Test func `a frame that would become too long passes as it is`() {
        let coded = [UInt8](repeating: 7, count: 2000)
        let text = [UInt8](repeating: 0x61, count: 3200)
        var frame = request(1, coded)
        var respeller = HTTP2Respeller()
        #expect(change(HTTP2Frame.preface + frame.bytes, by: &respeller) == nil)
        text.withUnsafeBufferPointer { respeller.learn($0, stream: 1, number: 2) }
        frame.payload += [UInt8](repeating: 0x82, count: 14_200)
        #expect(frame.payload.count < 1 << 14)
        #expect(change(frame.bytes, by: &respeller)?.count == nil)
        frame.payload.removeLast(2_000)
        #expect(change(frame.bytes, by: &respeller)?.count == frame.bytes.count + 1200)
    }

    /// Against frames that are known one by one, however the bytes are cut.
    /// `CKSWEEP_SEED=N` runs one of them again.
    @Test(arguments: seeds)
    func `other frames and other fields stay as they are, however they are cut`(seed: UInt64) {
        var random = SplitMix(state: seed)
        let codes = (0..<6).map { code in
            [UInt8](repeating: UInt8(code + 1), count: .random(in: 40...300, using: &random))
        }
        let plain = Dictionary(
            uniqueKeysWithValues: codes.map { code in
                (code, [UInt8](repeating: 0x60 + code[0], count: code.count * 8 / 5))
            })
        var frames: [HTTP2Frame] = []
        for index in 0..<UInt32(80) {
            if Bool.random(using: &random), let code = codes.randomElement(using: &random) {
                frames.append(request(2 * index + 1, code))
            } else {
                let count = Int.random(in: 0...400, using: &random)
                frames.append(
                    HTTP2Frame(
                        kind: .data, stream: 2 * index + 1,
                        payload: (0..<count).map { _ in .random(in: 0...255, using: &random) }))
            }
        }
        let sent = HTTP2Frame.preface + frames.flatMap(\.bytes)
        var pieces: [[UInt8]] = []
        var start = 0
        while start < sent.count {
            let most = Bool.random(using: &random) ? 12 : 1500
            let end = min(sent.count, start + Int.random(in: 1...most, using: &random))
            pieces.append(Array(sent[start..<end]))
            start = end
        }
        var respeller = HTTP2Respeller()
        var given = pass(pieces, &respeller, plain: plain, frames: frames)[...]
        #expect(given.starts(with: HTTP2Frame.preface))
        given = given.dropFirst(HTTP2Frame.preface.count)
        for frame in frames {
            let spellings =
                [frame.bytes]
                + plain.map { code, text in
                    holds(frame.payload, code) ? request(frame.stream, text, bit: 0).bytes : []
                }.filter { !$0.isEmpty }
            guard let found = spellings.first(where: { given.starts(with: $0) }) else {
                Issue.record("CKSWEEP_SEED=\(seed): stream \(frame.stream) was changed")
                return
            }
            given = given.dropFirst(found.count)
        }
        #expect(given.isEmpty)
    }
}
