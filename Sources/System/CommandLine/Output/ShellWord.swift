/// Words as a shell reads them back.
package enum ShellWord {
    package static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || "-_./:=@,+".utf8.contains(byte)
            }
        guard !isPlain else { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
