extension ConsentChoices {
    /// Returns what the person's choices say at every gate.
    ///
    /// - Parameter question: which link, app and conversation it is about.
    /// - Returns: the five verdicts; all of them, also where the first one decides already.
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

    /// Returns whether a link may become available: the answer of `verdicts(on:)` and nothing else.
    ///
    /// - Parameter question: which link, app and conversation it is about.
    /// - Returns: whether all gates let the link through.
    /// - Complexity: O(p) for p pins of the link, however much else is in the book.
    public func allows(_ question: ConsentQuestion) -> Bool {
        let pins = pinned[question.key]
        // Most links are neither pinned nor shared automatically, so that permission is asked for first.
        return permissionGate(question, pins).isAllowed && everywhereGate(pins).isAllowed
            && appGate(question, pins).isAllowed && conversationGate(question, pins).isAllowed
            && removalGate(question, pins).isAllowed
    }
}
