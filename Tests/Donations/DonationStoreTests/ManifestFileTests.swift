import DonationStore
import Donations
import Testing

struct ManifestFileTests {
    /// Made up in the form that Xcode writes.
    static let soup = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
          <key>INIntentDefinitionModelVersion</key><string>1.2</string>
          <key>INIntents</key><array><dict>
            <key>INIntentCategory</key><string>order</string>
            <key>INIntentName</key><string>OrderSoup</string>
            <key>INIntentTitle</key><string>Order Soup</string>
            <key>INIntentVerb</key><string>Order</string>
            <key>INIntentType</key><string>Custom</string>
            <key>INIntentParameters</key><array>
              <dict>
                <key>INIntentParameterName</key><string>soup</string>
                <key>INIntentParameterDisplayName</key><string>Soup</string>
                <key>INIntentParameterType</key><string>Object</string>
                <key>INIntentParameterObjectType</key><string>Soup</string>
                <key>INIntentParameterTag</key><integer>1</integer>
              </dict>
              <dict>
                <key>INIntentParameterName</key><string>quantity</string>
                <key>INIntentParameterType</key><string>Integer</string>
              </dict>
              <dict>
                <key>INIntentParameterName</key><string>options</string>
                <key>INIntentParameterType</key><string>Object</string>
                <key>INIntentParameterSupportsMultipleValues</key><true/>
              </dict>
            </array>
            <key>INIntentParameterCombinations</key><dict>
              <key>soup,quantity</key><dict>
                <key>INIntentParameterCombinationTitle</key>
                <string>Order ${quantity} ${soup}</string>
                <key>INIntentParameterCombinationSupportsBackgroundExecution</key><true/>
              </dict>
              <key>soup</key><dict>
                <key>INIntentParameterCombinationTitle</key><string>Order ${soup}</string>
                <key>INIntentParameterCombinationIsPrimary</key><true/>
              </dict>
            </dict>
            <key>INIntentResponse</key><dict>
              <key>INIntentResponseCodes</key><array>
                <dict><key>INIntentResponseCodeName</key><string>success</string></dict>
                <dict><key>INIntentResponseCodeName</key><string>failureOutOfStock</string></dict>
              </array>
            </dict>
          </dict></array>
        </dict></plist>
        """

    @Test func `an intent definition is read as Xcode writes it`() throws {
        let value = try #require(ManifestFile.read(Array(Self.soup.utf8)))
        let intent = try #require(try IntentDefinition.read(value).first)
        let lines =
            ["\(intent.className) \(intent.title ?? "-") \(intent.category ?? "-")"]
            + intent.parameters.map {
                "\($0.name): \($0.type) \($0.typeName ?? "-") \($0.isList)"
            }
            + intent.combinations.map {
                "\($0.parameters.joined(separator: "+")) = \($0.title ?? "-") \($0.isPrimary) "
                    + "\($0.supportsBackgroundExecution)"
            } + [intent.responseCodes.joined(separator: " ")]
        #expect(
            lines == [
                "OrderSoupIntent Order Soup order", "soup: Object Soup false",
                "quantity: Integer - false", "options: Object - true",
                "soup+quantity = Order ${quantity} ${soup} false true",
                "soup = Order ${soup} true false", "success failureOutOfStock",
            ])
    }

    @Test(arguments: [
        "", "no list", "<plist><dict>", "<?xml version=\"1.0\"?><plist></plist>",
    ])
    func `what is no property list is none`(text: String) {
        #expect(ManifestFile.read(Array(text.utf8)) == nil)
    }

    @Test func `a list nested without end is refused`() {
        let depth = 5000
        let text =
            "<plist version=\"1.0\">" + String(repeating: "<array>", count: depth)
            + String(repeating: "</array>", count: depth) + "</plist>"
        #expect(ManifestFile.read(Array(text.utf8)) == nil)
    }
}
