import DeletionPlanning
import Testing

/// Which names are probably meant, where a rule names one that does not exist.
struct MisspellingTests {
    @Test(arguments: [
        ("Reciepts", ["Notes", "Receipts"], "Receipts"), ("notes", ["Notes"], "Notes"),
        ("Invoces", ["Invoices", "Invoice"], "Invoices"),
    ])
    func `a name that is nearly another one is misspelled`(
        written: String, names: [String], meant: String
    ) {
        #expect(Misspelling.meant(by: written, among: names) == meant)
    }

    @Test(arguments: [
        ("Notes", ["Notes", "Note"]), ("Trip 1", ["Trip 2", "Trip 12"]),
        ("2024", ["2023", "2025"]),
        ("Invoices", ["Notes", "Settings"]), ("Receipts", []),
    ])
    func `any other name is a name of its own`(written: String, names: [String]) {
        #expect(Misspelling.meant(by: written, among: names) == nil)
    }
}
