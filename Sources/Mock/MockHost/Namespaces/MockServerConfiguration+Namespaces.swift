extension MockServerConfiguration {
    /// What a namespace is started with: in memory, with a smaller journal, and with data from elsewhere.
    var ofNamespace: MockServerConfiguration {
        var configuration = self
        configuration.storage = .memory
        configuration.fixtures = []
        configuration.journalEntriesMax = min(journalEntriesMax, 10_000)
        configuration.journalBytesMax = min(journalBytesMax, 8 << 20)
        return configuration
    }
}
