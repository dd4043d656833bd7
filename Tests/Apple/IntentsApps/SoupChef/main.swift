// The edge of the program: on Linux an app names its store, and can look what is left in it.
import DonationStore
import Foundation

try DonationStore.bootstrap(
    DonationConfiguration(
        bundleIdentifier: "com.example.soupchef", directory: CommandLine.arguments[1],
        now: { Date() }))

func tell(_ moment: String) async throws {
    guard let store = DonationStore.current else { return }
    let counts = try await store.counts().filter { $0.value > 0 }
        .map { "\($0.key.rawValue) \($0.value)" }.sorted()
    print("\(moment): \(counts.isEmpty ? "nothing" : counts.joined(separator: ", "))")
}

func mentioning(_ words: Set<String>) async throws -> Int {
    try await DonationStore.current?.remainder(mentioning: words).count ?? -1
}

let chowder = Soup(identifier: "soup-1", name: "Clam Chowder")
let tomato = Soup(identifier: "soup-2", name: "Tomato Soup")
let chef = SoupChef()

try await chef.index([chowder, tomato])
chef.show(chowder)
chef.show(tomato)
chef.place(Order(identifier: UUID(), soup: chowder, quantity: 1))
chef.place(Order(identifier: UUID(), soup: chowder, quantity: 3))
chef.place(Order(identifier: UUID(), soup: tomato, quantity: 2))
try await DonationStore.current?.flush()
try await tell("after three orders")

try await chef.remove(chowder)
try await tell("after the chowder went")
print("about the chowder: \(try await mentioning(["soup-1", "Clam Chowder", "view-soup-1"]))")

try await chef.remove(tomato)
try await tell("after the tomatoes went")
print("about the tomatoes: \(try await mentioning(["soup-2", "Tomato Soup", "view-soup-2"]))")
await DonationStore.current?.flushAndClose()
let images = try? FileManager.default.contentsOfDirectory(
    atPath: CommandLine.arguments[1] + "/images")
print("images: \(images?.count ?? 0)")
