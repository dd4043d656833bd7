import OpenSSL
import Testing

struct SealedBoxTests {
    private let key = [UInt8](repeating: 7, count: SealedBox.keyByteCount)
    private let plain = Array("https://localhost/asset/1".utf8)
    private let context = Array("one".utf8)

    @Test func `what was sealed opens with the same key and context only`() {
        let box = SealedBox.seal(plain, key: key, context: context)
        #expect(SealedBox.open(box, key: key, context: context) == plain)
        #expect(SealedBox.open(box, key: key, context: Array("two".utf8)) == nil)
        var other = key
        other[31] ^= 1
        #expect(SealedBox.open(box, key: other, context: context) == nil)
        #expect(SealedBox.open(box, key: [1, 2, 3], context: context) == nil)
    }

    @Test func `a box that was changed anywhere, or cut, does not open`() {
        let box = SealedBox.seal(plain, key: key, context: context)
        for place in box.indices {
            var changed = box
            changed[place] ^= 0x80
            #expect(SealedBox.open(changed, key: key, context: context) == nil, "byte \(place)")
            #expect(SealedBox.open(Array(box[..<place]), key: key, context: context) == nil)
        }
    }

    /// Servers give out whatever they like, also an address without a letter.
    @Test func `nothing is sealed too`() {
        let box = SealedBox.seal([], key: key, context: context)
        #expect(SealedBox.open(box, key: key, context: context) == [])
        #expect(SealedBox.open(box, key: key, context: []) == nil)
        var changed = box
        changed[20] ^= 1
        #expect(SealedBox.open(changed, key: key, context: context) == nil)
    }

    @Test func `equal texts have boxes that nobody can tell to be equal`() {
        let boxes = (0..<2).map { _ in SealedBox.seal(plain, key: key, context: context) }
        #expect(boxes[0] != boxes[1])
        #expect(boxes[0].count == plain.count + 28)
        for box in boxes { #expect(!box.contains(plain)) }
    }

    /// The nonce, ciphertext and tag of test case 14 of the GCM specification: a key and 16 bytes of zeros.
    @Test func `a box of the specification opens`() {
        let box: [UInt8] =
            [UInt8](repeating: 0, count: 12) + [
                0xCE, 0xA7, 0x40, 0x3D, 0x4D, 0x60, 0x6B, 0x6E, 0x07, 0x4E, 0xC5, 0xD3, 0xBA, 0xF3,
                0x9D, 0x18, 0xD0, 0xD1, 0xC8, 0xA7, 0x99, 0x99, 0x6B, 0xF0, 0x26, 0x5B, 0x98, 0xB5,
                0xD4, 0x8A, 0xB9, 0x19,
            ]
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(SealedBox.open(box, key: zeros, context: []) == Array(zeros.prefix(16)))
    }
}
