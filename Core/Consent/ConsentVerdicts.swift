public import WaypostSchema

/// The verdicts of the user's choices about a link, an app and a conversation, one for each gate.
///
/// The value is cheap to create; an explanation is built only when its verdict is read.
public struct ConsentVerdicts: Sendable, Equatable {
    /// The question that the verdicts answer.
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

    /// The verdict of the choice to share everywhere.
    public var everywhere: ConsentVerdict {
        everywhereFinding.verdict(on: question)
    }

    /// The verdict of the choice to share with the app.
    public var app: ConsentVerdict {
        appFinding.verdict(on: question)
    }

    /// The verdict of the choice to share from the conversation.
    public var conversation: ConsentVerdict {
        conversationFinding.verdict(on: question)
    }

    /// The verdict of pins and automatic sharing.
    public var permission: ConsentVerdict {
        permissionFinding.verdict(on: question)
    }

    /// The verdict of the user's *Remove*.
    public var removal: ConsentVerdict {
        removalFinding.verdict(on: question)
    }

    /// The verdicts in the order of the gates: everywhere, app, conversation, permission, removal.
    public var all: [ConsentVerdict] {
        findings.map { $0.verdict(on: question) }
    }

    /// The rules that decided, in the order of the gates; no explanations are built.
    public var rules: [ConsentRule] {
        findings.map(\.rule)
    }

    /// The first verdict, in the order of the gates, that refuses the link; `nil` if none does.
    public var refusal: ConsentVerdict? {
        findings.first { !$0.isAllowed }?.verdict(on: question)
    }

    private var findings: [GateFinding] {
        [everywhereFinding, appFinding, conversationFinding, permissionFinding, removalFinding]
    }
}
