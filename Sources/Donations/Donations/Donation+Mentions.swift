extension Donation {
    /// Whether one of these strings is a key of this row, a handle or parameter in it, or a part of
    /// one of its texts. Compares byte by byte; empty strings mean nothing.
    package func mentions(_ words: Set<String>) -> Bool {
        let words = words.filter { !$0.isEmpty }
        guard !words.isEmpty else { return false }
        let keys = [
            identifier, group, persistentIdentifier, relatedIdentifier, weakRelatedIdentifier,
            entityIdentifier, targetContentIdentifier, actionID,
            nestedActivity?.persistentIdentifier, link?.record, link?.zone,
        ].compactMap { $0 }
        if words.contains(where: { word in keys.contains { word.isSame(as: $0) } }) { return true }
        if let domain, words.contains(where: { domain.isDomain(inside: $0) }) { return true }
        var texts = [title, displayName, description, suggestedInvocationPhrase, webpageURL]
            .compactMap { $0 }
        texts += keywords + mentions
        for bytes in [payload, nestedActivity?.payload ?? []] where !bytes.isEmpty {
            if let value = try? PayloadValue(decoding: bytes) { texts += value.strings }
        }
        return texts.contains { text in words.contains { text.containsBytes(of: $0) } }
    }
}

extension ListEntry {
    /// Whether one of these strings is in the entry. Compares byte by byte.
    package func mentions(_ words: Set<String>) -> Bool {
        var texts = [identifier] + mentions + [title, suggestedInvocationPhrase].compactMap { $0 }
        if let value = try? PayloadValue(decoding: payload) { texts += value.strings }
        return texts.contains { text in
            words.contains { !$0.isEmpty && text.containsBytes(of: $0) }
        }
    }
}

extension String {
    /// Whether the bytes of `other` are somewhere in this string.
    fileprivate func containsBytes(of other: String) -> Bool {
        let other = Array(other.utf8)
        let own = Array(utf8)
        guard let first = other.first, own.count >= other.count else { return false }
        return (0...(own.count - other.count)).contains { start in
            own[start] == first && own[start..<(start + other.count)].elementsEqual(other)
        }
    }
}
