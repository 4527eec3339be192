import Consent
import WaypostSchema

/// An independent model of the rules: a list of actions still in effect, searched completely for every question.
struct ConsentOracle {
    private enum Deed {
        case off(SharingScope)
        case automatic(BundleIdentifier)
        case pin(ContentKey, ConversationID, MessageID)
        case removal(ContentKey)
    }

    private var deeds: [(number: Int, deed: Deed)] = []
    private let isAlways: Bool

    init(_ history: RandomHistory, isAlways: Bool) {
        self.isAlways = isAlways
        for (number, step) in history.steps.enumerated() {
            if case .rekey(let old, let new) = step { rename(old, new) }
            forget(step)
            if let deed = Self.deed(step) { deeds.append((number, deed)) }
        }
    }

    /// Returns whether the link is available to the app from the conversation.
    func allows(_ question: ConsentQuestion) -> Bool {
        let anywhere = last { if case .pin(question.key, _, _) = $0 { true } else { false } }
        let here = last { if case .pin(question.key, question.conversation, _) = $0 { true } else { false } }
        let isAutomatic = last { if case .automatic(question.app) = $0 { true } else { false } } >= 0
        let removal = last { if case .removal(question.key) = $0 { true } else { false } }
        let isPinned = anywhere >= 0
        guard isPinned || isAutomatic, removal <= anywhere else { return false }
        if off(.everywhere) >= 0, !(isAlways && isPinned) { return false }
        if off(.app(question.app)) > anywhere, !(isAlways && isPinned) { return false }
        return off(.conversation(question.conversation)) <= here || (isAlways && here >= 0)
    }

    private func off(_ scope: SharingScope) -> Int {
        last { if case .off(scope) = $0 { true } else { false } }
    }

    /// Returns the greatest number of a matching action, or -1 if there is none.
    private func last(where holds: (Deed) -> Bool) -> Int {
        deeds.filter { holds($0.deed) }.map(\.number).max() ?? -1
    }

    private static func deed(_ step: Step) -> Deed? {
        switch step {
        case .sharing(let scope, isOn: false): .off(scope)
        case .automatic(let app, isOn: true): .automatic(app)
        case .pin(let key, let conversation, let message): .pin(key, conversation, message)
        case .remove(let key): .removal(key)
        default: nil
        }
    }

    /// Removes the actions that a step undoes.
    private mutating func forget(_ step: Step) {
        deeds.removeAll { _, deed in
            switch (step, deed) {
            case (.sharing(let scope, isOn: true), .off(let other)): scope == other
            case (.automatic(let app, isOn: false), .automatic(let other)): app == other
            case (.unpin(let key, let message), .pin(let other, _, let its)): key == other && message == its
            case (.restore(let key), .removal(let other)): key == other
            default: false
            }
        }
    }

    private mutating func rename(_ old: ContentKey, _ new: ContentKey) {
        deeds = deeds.map { number, deed in
            switch deed {
            case .pin(old, let conversation, let message): (number, .pin(new, conversation, message))
            case .removal(old): (number, .removal(new))
            default: (number, deed)
            }
        }
    }
}
