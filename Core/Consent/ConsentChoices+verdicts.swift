extension ConsentChoices {
    /// Returns the verdict of the user's choices at every gate.
    ///
    /// - Parameter question: the link, the app and the conversation.
    /// - Returns: all five verdicts, even if the first one already refuses the link.
    public func verdicts(on question: ConsentQuestion) -> ConsentVerdicts {
        let pins = pinned[question.key]
        return ConsentVerdicts(
            question: question,
            everywhereFinding: everywhereFinding(pins),
            appFinding: appFinding(question, pins),
            conversationFinding: conversationFinding(question, pins),
            permissionFinding: permissionFinding(question, pins),
            removalFinding: removalFinding(question, pins)
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
        return permissionFinding(question, pins).isAllowed && everywhereFinding(pins).isAllowed
            && appFinding(question, pins).isAllowed && conversationFinding(question, pins).isAllowed
            && removalFinding(question, pins).isAllowed
    }
}
