// The edge of the program: on Linux an app names its store, and can look what is left in it.
import DonationStore
import Foundation

try DonationStore.bootstrap(
    DonationConfiguration(
        bundleIdentifier: "com.example.messenger", directory: CommandLine.arguments[1],
        now: { Date() }))

func tell(_ moment: String) async throws {
    guard let store = DonationStore.current else { return }
    let counts = try await store.counts().filter { $0.value > 0 }
        .map { "\($0.key.rawValue) \($0.value)" }.sorted()
    print("\(moment): \(counts.isEmpty ? "nothing" : counts.joined(separator: ", "))")
}

let ada = Contact(identifier: "contact-ada", name: "Ada", number: "+44 1")
let grace = Contact(identifier: "contact-grace", name: "Grace", number: "+1 2")
let alan = Contact(identifier: "contact-alan", name: "Alan", number: "+44 3")
let withAda = Conversation(identifier: "chat-1", members: [ada], name: nil)
let withGrace = Conversation(identifier: "chat-2", members: [grace], name: nil)
let club = Conversation(identifier: "chat-3", members: [ada, grace, alan], name: "Club")

let messenger = Messenger()
for conversation in [withAda, withGrace, club] { try await messenger.open(conversation) }
try await messenger.send("Hello", to: withAda)
try await messenger.receive("Hello back", from: ada, in: withAda)
try await messenger.send("Good morning", to: withGrace)
try await messenger.send("To all of you", to: club)
try await tell("after four messages")

try await messenger.delete(ada)
try await tell("after Ada went")
let words: Set = ["contact-ada", "Ada", "+44 1", "chat-1", "chat-3"]
let left = try await DonationStore.current?.remainder(mentioning: words).count ?? -1
print("about Ada: \(left)")

try await messenger.signOut()
try await tell("after signing out")
await DonationStore.current?.flushAndClose()
