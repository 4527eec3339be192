public import WaypostSchema

/// What a person's choices say about a link, an app and a conversation, gate by gate.
///
/// It is cheap to make; words are found when a verdict is asked for.
public struct ConsentVerdicts: Sendable, Equatable {
    /// What was asked.
    public let question: ConsentQuestion

    let everywhereFinding: GateFinding
    let appFinding: GateFinding
    let conversationFinding: GateFinding
    let permissionFinding: GateFinding
    let removalFinding: GateFinding

    /// Whether all gates let the link through.
    public var isAllowed: Bool {
        findings.allSatisfy(\.isAllowed)
    }

    /// What sharing being on or off everywhere says.
    public var everywhere: ConsentVerdict {
        everywhereFinding.verdict(on: question)
    }

    /// What sharing being on or off for the app says.
    public var app: ConsentVerdict {
        appFinding.verdict(on: question)
    }

    /// What sharing being on or off for the conversation says.
    public var conversation: ConsentVerdict {
        conversationFinding.verdict(on: question)
    }

    /// What pins and automatic sharing say.
    public var permission: ConsentVerdict {
        permissionFinding.verdict(on: question)
    }

    /// What the person's *Remove* says.
    public var removal: ConsentVerdict {
        removalFinding.verdict(on: question)
    }

    /// The verdicts in the order of the gates: everywhere, app, conversation, permission, removal.
    public var all: [ConsentVerdict] {
        findings.map { $0.verdict(on: question) }
    }

    /// The rules that decided, in the order of the gates; no words are made for them.
    public var rules: [ConsentRule] {
        findings.map(\.rule)
    }

    /// The first verdict in the order of the gates that keeps the link back; `nil` where none does.
    public var refusal: ConsentVerdict? {
        findings.first { !$0.isAllowed }?.verdict(on: question)
    }

    private var findings: [GateFinding] {
        [everywhereFinding, appFinding, conversationFinding, permissionFinding, removalFinding]
    }
}
