import Consent
import WaypostSchema
import WaypostTestSupport

/// A random action of the user, or a resolution of a link.
enum Step: Sendable {
    case sharing(SharingScope, isOn: Bool)
    case automatic(BundleIdentifier, isOn: Bool)
    case pin(ContentKey, ConversationID, MessageID)
    case unpin(ContentKey, MessageID)
    case remove(ContentKey)
    case restore(ContentKey)
    case rekey(ContentKey, ContentKey)
}

/// A random history with few links, apps and conversations, so that choices concern each other.
struct RandomHistory {
    static let keys: [ContentKey] = [show, film, "https://short.example/3"]
    static let apps = [tv, news]
    static let conversations = [family, friends]

    /// All questions that can be asked.
    static let questions = keys.flatMap { key in
        apps.flatMap { app in
            conversations.map { ConsentQuestion(key: key, app: app, conversation: $0) }
        }
    }

    let steps: [Step]

    init(using generator: inout SeededGenerator) {
        let count = Int.random(in: 0...25, using: &generator)
        steps = (0..<count).map { _ in Self.step(using: &generator) }
    }

    private static func step(using generator: inout SeededGenerator) -> Step {
        let key = pick(keys, &generator)
        let app = pick(apps, &generator)
        // A message is in one conversation: even messages in the first, odd messages in the second.
        let message = Int.random(in: 0..<4, using: &generator)
        let name = MessageID(rawValue: "m\(message)")
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...2: return .sharing(scope(using: &generator), isOn: Bool.random(using: &generator))
        case 3...4: return .automatic(app, isOn: Bool.random(using: &generator))
        case 5...7: return .pin(key, conversations[message % 2], name)
        case 8: return .unpin(key, name)
        case 9: return .remove(key)
        case 10: return .restore(key)
        default: return .rekey(key, pick(keys, &generator))
        }
    }

    private static func scope(using generator: inout SeededGenerator) -> SharingScope {
        let scopes =
            [SharingScope.everywhere] + apps.map(SharingScope.app) + conversations.map(SharingScope.conversation)
        return pick(scopes, &generator)
    }

    private static func pick<Element>(_ elements: [Element], _ generator: inout SeededGenerator) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }
}

extension RandomHistory {
    /// Returns the choices after the history.
    func consent(_ rules: ConsentRules) -> ConsentChoices {
        var consent = ConsentChoices(rules: rules)
        for (number, step) in steps.enumerated() { consent.take(step, .choice(number)) }
        return consent
    }
}

extension ConsentChoices {
    /// Applies a step.
    mutating func take(_ step: Step, _ moment: EventMoment) {
        switch step {
        case .sharing(let scope, let isOn): setSharing(scope, isOn: isOn, at: moment)
        case .automatic(let app, let isOn): setAutomaticSharing(of: app, isOn: isOn, at: moment)
        case .pin(let key, let conversation, let message): pin(key, in: conversation, message: message, at: moment)
        case .unpin(let key, let message): unpin(key, message: message)
        case .remove(let key): remove(key, at: moment)
        case .restore(let key): restore(key)
        case .rekey(let old, let new): rekey(old, to: new)
        }
    }
}
