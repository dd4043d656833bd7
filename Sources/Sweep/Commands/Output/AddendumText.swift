import CommandLine
import Evidence

/// What an addendum says, in a line and to programs.
struct AddendumText: Sendable {
    private let addendum: Addendum

    init(_ addendum: Addendum) { self.addendum = addendum }

    var line: String { "\(addendum.signedAt.iso8601)  \(happened)" }

    /// What somebody has to know who reads the statement alone; nil: nothing.
    var alarm: String? {
        switch addendum.content {
        case .look(let look):
            switch look.found {
            case .recreatedEmpty, .recreatedWithData: line
            case .empty, .incomplete: nil
            }
        case .access, .hook: nil
        }
    }

    private var happened: String {
        switch addendum.content {
        case .look(let look): "verified again: \(Self.words(look))"
        case .access(let access): Self.words(access)
        case .hook(let hook): HookText(hook).words
        }
    }

    private static func words(_ access: AccessFacts) -> String {
        let word = access.change == .restrict ? "access restricted" : "access restored"
        let failed = access.results.count { !$0.isDone }
        return failed == 0
            ? word
            : "\(word) in all but \(failed) of \(access.results.count) containers"
    }

    private static func words(_ look: LookFacts) -> String {
        switch look.found {
        case .empty: "empty"
        case .incomplete: "not everything could be scanned"
        case .recreatedEmpty: "recreated, empty (\(look.left))"
        case .recreatedWithData: "recreated, with data (\(look.left))"
        }
    }

    var value: Event.Value {
        var fields: [Event.Field] = [
            .init("number", addendum.number), .init("signedAt", addendum.signedAt.iso8601),
        ]
        switch addendum.content {
        case .look(let look):
            fields += [.init("kind", "look"), .init("found", look.found.rawValue)]
        case .access(let access):
            fields += [
                .init("kind", access.change.rawValue), .init("done", access.isDone),
            ]
        case .hook(let hook):
            fields += [.init("kind", "hook"), .init("failure", hook.failure?.rawValue)]
        }
        return .object(fields)
    }
}
