/// The record types of the donation zone; others are left alone.
enum ExchangeRecordType: String, CaseIterable {
    case zone = "DonationZone"
    case device = "Device"
    case deletion = "Deletion"
    case donation = "Donation"
    case savedActivity = "SavedActivity"
    case searchItem = "SearchItem"
}
