/// How many letters have to be changed to turn one word into another.
package enum EditDistance {
    /// Levenshtein's distance over UTF-8 bytes; words beyond 200 bytes are cut.
    package static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8.prefix(200))
        let right = Array(right.utf8.prefix(200))
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let change = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }

    /// The word of `words` nearest to `text`, the first of equals; nil only when there is none.
    package static func nearest(to text: String, in words: [String]) -> String? {
        words.map { (between(text, $0), $0) }.min { $0.0 < $1.0 }?.1
    }
}
