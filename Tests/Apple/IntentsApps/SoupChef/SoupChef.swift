import CoreSpotlight
import Foundation
import Intents
import UserActivity

struct Soup {
    let identifier: String
    let name: String
}

struct Order {
    let identifier: UUID
    let soup: Soup
    let quantity: Int

    var intent: OrderSoupIntent {
        let intent = OrderSoupIntent()
        intent.soup = INObject(identifier: soup.identifier, display: soup.name)
        intent.quantity = NSNumber(value: quantity)
        intent.suggestedInvocationPhrase = "Order \(soup.name)"
        intent.setImage(
            INImage(imageData: Data(soup.name.utf8)), forParameterNamed: \.soup)
        return intent
    }
}

/// A shop for soup: what its user does is donated, and what he removes is forgotten.
final class SoupChef {
    private var orders: [Order] = []
    private var current: NSUserActivity?

    /// Puts the menu into the index.
    func index(_ menu: [Soup]) async throws {
        let items = menu.map { soup -> CSSearchableItem in
            let attributes = CSSearchableItemAttributeSet(itemContentType: "public.content")
            attributes.title = soup.name
            return CSSearchableItem(
                uniqueIdentifier: soup.identifier, domainIdentifier: "menu",
                attributeSet: attributes)
        }
        try await CSSearchableIndex.default().indexSearchableItems(items)
    }

    /// The user looks at a soup.
    func show(_ soup: Soup) {
        let activity = NSUserActivity(activityType: "com.example.soupchef.view-soup")
        activity.title = soup.name
        activity.userInfo = ["soup": soup.identifier]
        activity.requiredUserInfoKeys = ["soup"]
        activity.isEligibleForSearch = true
        activity.isEligibleForPrediction = true
        activity.persistentIdentifier = "view-\(soup.identifier)"
        activity.suggestedInvocationPhrase = "Show \(soup.name)"
        let attributes = CSSearchableItemAttributeSet(itemContentType: "public.content")
        attributes.relatedUniqueIdentifier = soup.identifier
        activity.contentAttributeSet = attributes
        activity.becomeCurrent()
        current = activity
    }

    /// The user orders; the order's identifier is the donation's, so that it can be found again.
    func place(_ order: Order) {
        orders.append(order)
        let response = OrderSoupIntentResponse(code: .success, userActivity: nil)
        response.waitTime = 12
        let interaction = INInteraction(intent: order.intent, response: response)
        interaction.identifier = order.identifier.uuidString
        interaction.donate { error in
            if let error = error as NSError? {
                print("Interaction donation failed: \(error.domain) \(error.code)")
            }
        }
    }

    /// The user removes a soup: what the system was told about it goes too.
    func remove(_ soup: Soup) async throws {
        let gone = orders.filter { $0.soup.identifier == soup.identifier }
        orders.removeAll { $0.soup.identifier == soup.identifier }
        do {
            try await INInteraction.delete(with: gone.map { $0.identifier.uuidString })
            // The activities of the soup are strongly related to its item, and go with it.
            try await CSSearchableIndex.default()
                .deleteSearchableItems(withIdentifiers: [soup.identifier])
        } catch INIntentError.deletingInteractionWithIdentifiers {
            print("The orders could not be forgotten")
        } catch CSIndexError.indexUnavailableError {
            print("The soup could not be forgotten")
        }
    }
}
