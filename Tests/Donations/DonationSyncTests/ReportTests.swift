import DonationSync
import Testing

@Suite struct ReportTests {
    @Test func `an empty report is empty, and one with removed rows is not`() {
        var report = SyncReport()
        report.remove(0, .swept)
        #expect(report.isEmpty)
        report.remove(2, .swept)
        #expect(report.removed == [.swept: 2])
        #expect(!report.isEmpty)
    }
}
