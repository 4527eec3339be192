package import WaypostSchema

/// The limits of the decisions about several URLs, all of which one small request may ask for.
package struct DecisionLimits: Sendable, Equatable {
    /// The maximum number of results: for each URL, a decision for each app and the result of each of its rules.
    package var resultCount = 50_000

    /// The maximum size of the texts in the decisions, in bytes.
    package var size = 8 << 20

    /// The maximum number of steps of the work, which are a few nanoseconds each.
    package var stepCount = 300_000_000

    /// Creates the default limits.
    package init() {}
}

/// The reason for which the decisions about several URLs are not made.
package enum DecisionLimitError: Error, Sendable, Equatable {
    /// There are more than `limit` results.
    case tooManyResults(limit: Int)

    /// The texts of the decisions have more than `limit` bytes.
    case tooLarge(limit: Int)

    /// The decisions take more steps than are allowed.
    case tooMuchWork

    /// Nobody needs the decisions any more.
    case canceled
}

extension AssociationMatcher {
    /// Returns the decisions about several URLs for all apps of the file, with the result of each rule.
    ///
    /// - Parameters:
    ///   - urlStrings: the URLs.
    ///   - limits: the limits of all decisions together. One URL has a budget of its own, too.
    ///   - isCanceled: called for each URL; returns whether nobody needs the decisions any more.
    /// - Returns: the decisions, in the order of the URLs and then of the apps.
    /// - Throws: `DecisionLimitError`.
    package func decisions(
        on urlStrings: [String],
        within limits: DecisionLimits,
        isCanceled: () -> Bool
    ) throws(DecisionLimitError) -> [LinkDecision] {
        guard urlStrings.count <= limits.resultCount / resultCountPerURL else {
            throw .tooManyResults(limit: limits.resultCount)
        }
        var decisions: [LinkDecision] = []
        var (size, stepCount) = (0, 0)
        for urlString in urlStrings {
            guard !isCanceled() else { throw .canceled }
            let newDecisions = self.decisions(on: urlString, tracing: true, counting: &stepCount)
            guard stepCount <= limits.stepCount else { throw .tooMuchWork }
            size += newDecisions.reduce(0) { $0 + $1.textSize }
            guard size <= limits.size else { throw .tooLarge(limit: limits.size) }
            decisions += newDecisions
        }
        return decisions
    }
}

extension LinkDecision {
    /// The size of the texts in bytes.
    fileprivate var textSize: Int {
        let ownTexts = [url, app?.rawValue ?? "", rule ?? "", place ?? "", explanation]
        let traceSize = (trace ?? []).reduce(0) {
            $0 + $1.rule.utf8.count + $1.place.utf8.count + $1.explanation.utf8.count
        }
        return ownTexts.reduce(traceSize) { $0 + $1.utf8.count }
    }
}
