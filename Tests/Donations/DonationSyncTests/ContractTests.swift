import DonationSync
import SyncStorageContract
import Testing

@Suite struct ContractTests {
    @Test(arguments: StorageContract.allCases)
    func `the storage in memory keeps the contract`(part: StorageContract) throws {
        var storage = MemoryStorage()
        try part.check(&storage)
    }
}
