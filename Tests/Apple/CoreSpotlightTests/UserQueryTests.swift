import AsyncOperations
import CoreSpotlight
import DonationStore
import Foundation
import Testing

/// Searching for what a person types, and what else Core Spotlight archives and imports.
@Suite(.timeLimit(.minutes(10)))
struct UserQueryTests {
    private func menu() async throws {
        let titles = ["Crème brûlée", "Cream soup", "Cream of leek", "Tea \"Earl* Grey\\\""]
        try await CSSearchableIndex.default().indexSearchableItems(
            titles.enumerated().map { Spotlight.item("item-\($0)", title: $1) })
    }

    private func context(
        _ results: Int = 0, suggestions: Int = 0, after suggestion: CSSuggestion? = nil
    ) -> CSUserQueryContext {
        let context = CSUserQueryContext(currentSuggestion: suggestion)
        context.fetchAttributes = ["title"]
        context.maxResultCount = results
        context.maxSuggestionCount = suggestions
        return context
    }

    /// The titles of what is found, and the suggestions.
    private func found(
        _ typed: String?, _ context: CSUserQueryContext? = nil
    ) async throws -> (titles: [String], suggestions: [String]) {
        var found: (titles: [String], suggestions: [String]) = ([], [])
        let query = CSUserQuery(
            userQueryString: typed, userQueryContext: context ?? self.context())
        for try await response in query.responses {
            switch response {
            case .item(let item): found.titles.append(item.item.attributeSet.title ?? "")
            case .suggestion(let suggestion): found.suggestions.append(suggestion.id)
            }
        }
        return (found.titles.sorted(), found.suggestions)
    }

    @Test func `each typed word begins a word of what is found`() async throws {
        try await Spotlight.run { _ in
            try await menu()
            #expect(
                try await found("cre").titles == ["Cream of leek", "Cream soup", "Crème brûlée"])
            #expect(try await found("LEEK cr").titles == ["Cream of leek"])
            #expect(try await found("eek").titles == [])
            #expect(try await found("  ").titles == [])
            #expect(try await found(nil).titles == [])
            #expect(try await found("cre", context(2)).titles.count == 2)
        }
    }

    @Test(arguments: ["\"", "*", "\\", "\"Earl*", "'; ** == \"", ")) || (** == \"*\""])
    func `what is typed is never taken for a query`(typed: String) async throws {
        try await Spotlight.run { _ in
            try await menu()
            let titles = try await found(typed).titles
            #expect(titles.allSatisfy { $0.hasPrefix("Tea") }, "\(typed): \(titles)")
        }
    }

    @Test func `suggestions are titles that go on from the last word, and narrow the next search`()
        async throws
    {
        try await Spotlight.run { _ in
            try await menu()
            let all = try await found("cream", context(suggestions: 10))
            #expect(Set(all.suggestions) == ["Cream soup", "Cream of leek"])
            let one = try await found("cream", context(suggestions: 1))
            #expect(one.suggestions.count == 1 && one.titles.count == 2)
            let query = CSUserQuery(
                userQueryString: "cream so", userQueryContext: context(suggestions: 1))
            var taken: CSSuggestion?
            for try await suggestion in query.suggestions { taken = suggestion.suggestion }
            let text = try #require(taken?.localizedAttributedSuggestion)
            #expect(String(text.characters) == "Cream soup")
            let marked = text.runs.filter { $0[CSSuggestionHighlightAttribute.self] == true }
            #expect(marked.map { String(text.characters[$0.range]) } == ["Cream ", "up"])
            #expect(try await found(nil, context(after: taken)).titles == ["Cream soup"])
            #expect(query.foundSuggestionCount == 1)
        }
    }

    @Test func `handlers hear of items, then of suggestions, then of the end`() async throws {
        try await Spotlight.run { _ in
            try await menu()
            let calls = Locked<[String]>([])
            let query = CSUserQuery(
                userQueryString: "cream", userQueryContext: context(suggestions: 5))
            query.foundItemsHandler = { items in
                calls.withLock { $0.append("items \(items.count)") }
            }
            query.foundSuggestionsHandler = { found in
                calls.withLock { $0.append("suggestions \(found.count)") }
            }
            await withCheckedContinuation { done in
                query.completionHandler = { error in
                    calls.withLock { $0.append(error == nil ? "end" : "failed") }
                    done.resume()
                }
                query.start()
            }
            #expect(calls.withLock { $0 } == ["items 2", "suggestions 2", "end"])
        }
    }

    // MARK: Archives

    private func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: value, requiringSecureCoding: true)
        return try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
    }

    @Test func `people, keys, contexts and texts come back from an archive`() throws {
        let person = try archived(
            CSPerson(
                displayName: "Ada", handles: ["a@example.org", "+44 1"], handleIdentifier: "mail",
                contactIdentifier: "ada"))
        #expect((person.displayName, person.handleIdentifier) == ("Ada", "mail"))
        #expect(person.handles == ["a@example.org", "+44 1"] && person.contactIdentifier == "ada")
        let key = try archived(
            try #require(
                CSCustomAttributeKey(
                    keyName: "com_example_key", searchable: false, searchableByDefault: true,
                    unique: true, multiValued: false)))
        #expect((key.keyName, key.isUnique, key.isSearchable) == ("com_example_key", true, false))
        let context = context(3, suggestions: 4)
        context.filterQueries = [#"title == "a*""#]
        context.sourceOptions = .allowMail
        let back = try archived(context)
        #expect(back.filterQueries == context.filterQueries && back.fetchAttributes == ["title"])
        #expect((back.maxResultCount, back.maxSuggestionCount) == (3, 4))
        #expect(back.sourceOptions == .allowMail)
        #expect((context.copy() as? CSUserQueryContext)?.maxSuggestionCount == 4)
    }

    @Test func `a text in several languages is found by the person's`() throws {
        let text = CSLocalizedString(localizedStrings: ["de": "Suppe", "en": "Soup", 7: "none"])
        #expect(["Suppe", "Soup"].contains(text.localizedString()))
        #expect(CSLocalizedString(localizedStrings: ["fi": "keitto"]).localizedString() == "keitto")
        #expect(CSLocalizedString(localizedStrings: [:]).localizedString() == "")
        #expect(try archived(text) == text)
    }

    @Test func `an import extension fills in what a file is about, or throws`() throws {
        struct Unreadable: Error {}
        final class Notes: CSImportExtension {
            override func update(
                _ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL
            ) throws {
                guard contentURL.pathExtension == "note" else { throw Unreadable() }
                attributes.title = contentURL.deletingPathExtension().lastPathComponent
            }
        }
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        try Notes().update(attributes, forFileAt: URL(fileURLWithPath: "/tmp/Leek.note"))
        #expect(attributes.title == "Leek")
        #expect(throws: Unreadable.self) {
            try Notes().update(attributes, forFileAt: URL(fileURLWithPath: "/tmp/Leek.txt"))
        }
    }
}
