import Donations
import Testing

struct IntentDefinitionTests {
    static func file(_ intents: [String: ManifestValue]...) -> ManifestValue {
        .dictionary(["INIntents": .list(intents.map { .dictionary($0) })])
    }
    static func parameter(_ name: String) -> ManifestValue {
        .dictionary([
            "INIntentParameterName": .text(name), "INIntentParameterType": .text("String"),
        ])
    }

    @Test func `parameters and combinations are read, the most specific first`() throws {
        let combination: ManifestValue = .dictionary([
            "INIntentParameterCombinationTitle": .text("Order ${soup}"),
            "INIntentParameterCombinationIsPrimary": .number(1),
        ])
        let read = try IntentDefinition.read(
            Self.file([
                "INIntentName": .text("OrderSoup"), "INIntentClassPrefix": .text("XY"),
                "INIntentParameters": .list([Self.parameter("soup"), Self.parameter("size")]),
                "INIntentParameterCombinations": .dictionary([
                    "soup": combination, "soup,size": combination, "": combination,
                ]),
                "INIntentIneligibleForSuggestions": .flag(true),
            ]))
        let intent = try #require(read.first)
        #expect(read.count == 1 && intent.className == "XYOrderSoupIntent")
        #expect(intent.parameterCombinations == [["soup", "size"], ["soup"], []])
        #expect(intent.combinations.allSatisfy { $0.isPrimary })
        #expect(!intent.isEligibleForSuggestions)
    }

    @Test(arguments: [
        (ManifestValue.dictionary([:]), "INIntents"),
        (file([:]), "INIntents[0].INIntentName"),
        (file(["INIntentName": .number(1)]), "INIntents[0].INIntentName"),
        (
            file(["INIntentName": .text("A")], ["INIntentName": .text("A")]), "INIntents[1]"
        ),
        (
            file(["INIntentName": .text("A"), "INIntentParameters": .list([.dictionary([:])])]),
            "INIntents[0].INIntentParameters[0]"
        ),
        (
            file([
                "INIntentName": .text("A"),
                "INIntentParameters": .list([parameter("x"), parameter("x")]),
            ]), "INIntents[0].INIntentParameters[1]"
        ),
        (
            file([
                "INIntentName": .text("A"),
                "INIntentParameterCombinations": .dictionary(["y": .dictionary([:])]),
            ]), "INIntents[0].INIntentParameterCombinations[\"y\"]"
        ),
    ])
    func `a broken definition says where`(value: ManifestValue, path: String) {
        let error = #expect(throws: IntentDefinitionError.self) {
            try IntentDefinition.read(value)
        }
        #expect(error?.path == path)
    }

    @Test(arguments: [
        ("Order ${size} ${soup}", "Order large tomato"), ("${soup}", "tomato"),
        ("no place", "no place"), ("${missing}!", "!"), ("${open", "${open"),
        ("$ {soup}", "$ {soup}"),
    ])
    func `a title is filled in`(title: String, filled: String) {
        let values = ["soup": "tomato", "size": "large"]
        #expect(IntentDefinition.fill(title, with: values) == filled)
    }
}
