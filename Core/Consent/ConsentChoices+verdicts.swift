extension ConsentChoices {
    /// Returns the verdict of the user's choices at every gate.
    ///
    /// - Parameter question: the link, the app and the conversation.
    /// - Returns: all five verdicts, even if the first one already refuses the link.
    public func verdicts(on question: ConsentQuestion) -> ConsentVerdicts {
        let pins = pinned[question.key]
        return ConsentVerdicts(
            question: question,
            everywhereFinding: everywhereGate(pins),
            appFinding: appGate(question, pins),
            conversationFinding: conversationGate(question, pins),
            permissionFinding: permissionGate(question, pins),
            removalFinding: removalGate(question, pins)
        )
    }

    /// Returns whether a link may become available, without the reasons that `verdicts(on:)` gives.
    ///
    /// - Parameter question: the link, the app and the conversation.
    /// - Returns: whether all gates let the link through.
    /// - Complexity: O(p) for p pins of the link, regardless of the number of other choices.
    public func allows(_ question: ConsentQuestion) -> Bool {
        let pins = pinned[question.key]
        // Most links are neither pinned nor shared automatically, so check permission first.
        return permissionGate(question, pins).isAllowed && everywhereGate(pins).isAllowed
            && appGate(question, pins).isAllowed && conversationGate(question, pins).isAllowed
            && removalGate(question, pins).isAllowed
    }
}
