// The edge of the program: on Linux an app names its store, and can look what is left in it.
//
// Each run does one thing, as an app that is opened for it: FOLDER use|look|ask|forget|leave.
import DonationStore
import Foundation
import Intents

let arguments = CommandLine.arguments
try DonationStore.bootstrap(
    DonationConfiguration(
        bundleIdentifier: "com.example.messenger", directory: arguments[1], now: { Date() }))

let ada = Contact(identifier: "contact-ada", name: "Ada", number: "+44 1")
let grace = Contact(identifier: "contact-grace", name: "Grace", number: "+1 2")
let alan = Contact(identifier: "contact-alan", name: "Alan", number: "+44 3")
let withAda = Conversation(identifier: "chat-1", members: [ada], name: nil)
let withGrace = Conversation(identifier: "chat-2", members: [grace], name: nil)
let club = Conversation(identifier: "chat-3", members: [ada, grace, alan], name: "Club")
let messenger = Messenger(conversations: [withAda, withGrace, club])

func tell() async throws {
    guard let store = DonationStore.current else { return }
    let counts = try await store.counts().filter { $0.value > 0 }
        .map { "\($0.key.rawValue) \($0.value)" }.sorted()
    print(counts.isEmpty ? "nothing" : counts.joined(separator: ", "))
    let words: Set = ["contact-ada", "Ada", "+44 1", "chat-1", "chat-3", "call-contact-ada"]
    print("about Ada: \(try await store.remainder(mentioning: words).count)")
}

/// Has the app asked as Siri asks it, and says how it ended.
func ask(_ intent: INIntent) async throws {
    let runner = INIntentRunner(clock: ContinuousClock())
    let handler = IntentHandler(contacts: [ada, grace, alan])
    switch try await runner.run(intent, with: handler, from: .shortcut) {
    case .handled(let interaction):
        let people =
            (interaction.intent as? INSendMessageIntent)?.recipients
            ?? (interaction.intent as? INStartCallIntent)?.contacts ?? []
        let names = people.map(\.displayName).joined(separator: ", ")
        let isVideo = (interaction.intent as? INStartCallIntent)?.callCapability == .videoCall
        print("\(interaction.intentHandlingStatus): \(names)\(isVideo ? " with a picture" : "")")
    case .refused: print("refused")
    case .needsInput(let parameter, _): print("asks for \(parameter)")
    }
}

func person(_ name: String) -> INPerson {
    INPerson(
        personHandle: INPersonHandle(value: nil, type: .unknown), nameComponents: nil,
        displayName: name, image: nil, contactIdentifier: nil, customIdentifier: nil)
}

func message(to name: String) -> INSendMessageIntent {
    INSendMessageIntent(
        recipients: [person(name)], outgoingMessageType: .outgoingMessageText, content: "Hello",
        speakableGroupName: nil, conversationIdentifier: nil, serviceName: nil, sender: nil,
        attachments: nil)
}

switch arguments[2] {
case "use":
    for conversation in [withAda, withGrace, club] { try await messenger.open(conversation) }
    try await messenger.send("Hello", to: withAda)
    try await messenger.receive("Hello back", from: ada, in: withAda)
    try await messenger.send("Good morning", to: withGrace)
    try await messenger.send("To all of you", to: club)
    try await messenger.call(club)
    try await messenger.call(withGrace)
    try await messenger.callBack(ada, in: withAda)
case "look": try await tell()
case "ask":
    try await ask(message(to: "Gra"))
    try await ask(message(to: "A"))
    try await ask(message(to: "Nobody"))
    try await ask(INStartCallIntent(contacts: [person("Ada")], callCapability: .videoCall))
case "forget": try await messenger.delete(ada)
case "leave": try await messenger.signOut()
default: print("what is \(arguments[2])?")
}
await DonationStore.current?.flushAndClose()
