internal import Fleets

/// The first part of a report: what was run, whether the objectives are met, warnings and the headline figures.
struct ReportSummary {
    private let result: LoadResult

    init(_ result: LoadResult) {
        self.result = result
    }

    var html: HTML {
        """
        <header>
        <p class="kind">Load test</p>
        <h1 data-figure="name">\(result.run.name)</h1>
        <p><span data-figure="start">\(FigureText.time(result.run.start))</span> · \(durations)</p>
        </header>
        \(verdict)
        \(warnings)
        <dl class="figures">
        \(rates)
        \(deliveryLatency)
        </dl>
        """
    }

    private var durations: String {
        let measured = "\(duration(result.run.duration)) measured"
        guard result.run.warmUp > 0 else { return "\(measured), without a warm-up" }
        return "\(measured) after a warm-up of \(duration(result.run.warmUp))"
    }

    private func duration(_ seconds: Double) -> String {
        // A minute or less is easier to compare in seconds.
        FigureText.duration(seconds, granularity: seconds > 60 ? seconds : 1)
    }

    private var verdict: HTML {
        let (style, sentence) = verdictParts
        return """
            <section class="verdict \(style)">
            <p><strong data-figure="verdict">\(sentence)</strong></p>
            <p>\(.figure("lost", result.lost)) lost · \(.figure("duplicated", result.duplicated)) duplicated ·
            \(.figure("reordered", result.reordered)) reordered</p>
            </section>
            """
    }

    /// The class that gives the verdict its color, and the verdict.
    private var verdictParts: (style: String, sentence: String) {
        let count = result.objectives.count
        let missedCount = result.objectives.count { !$0.isMet }
        guard missedCount == 0 else {
            let missed = result.objectives.filter { !$0.isMet }.map { "\($0.objective) (\($0.actual))" }
            return ("bad", "Objectives not met: \(missedCount) of \(count): \(missed.joined(separator: ", ")).")
        }
        guard result.offered > 0 else { return ("care", "No notification was offered.") }
        let isComplete = result.lost == 0 && result.duplicated == 0 && result.reordered == 0
        guard count > 0 else { return (isComplete ? "plain" : "care", "No objectives were set.") }
        return (isComplete ? "good" : "care", "Objectives met: all \(count).")
    }

    private var warnings: HTML {
        guard !result.warnings.isEmpty else { return "" }
        let items: [HTML] = result.warnings.map { "<li>\($0)</li>\n" }
        return """
            <section class="warnings">
            <h2>Warnings</h2>
            <ul>
            \(items)</ul>
            </section>
            """
    }

    private var rates: HTML {
        let offeredCount = FigureText.count(result.offered, "notification")
        let achievedShare = FigureText.share(result.achieved, of: result.offered) + " of all offered"
        let lateShare = FigureText.share(result.lateStarts, of: result.requests) + " of all requests, over 1 ms"
        return """
            \(tile("Offered rate", rate("offeredRate", result.offeredRate), detail: offeredCount))
            \(tile("Achieved rate", rate("achievedRate", result.achievedRate), detail: achievedShare))
            \(tile("Late starts", .figure("lateStarts", result.lateStarts), detail: lateShare))
            """
    }

    private var deliveryLatency: HTML {
        let summary = result.delivered
        let tiles = [("p50", summary.p50), ("p99", summary.p99), ("max", summary.max)].map { name, value in
            let text = summary.count == 0 ? "–" : FigureText.milliseconds(value)
            return tile(
                "Delivered \(name)",
                .figure("headline.\(name)", value, text: text),
                detail: "from intended start"
            )
        }
        return "\(tiles)"
    }

    private func tile(_ name: String, _ figure: HTML, detail: String) -> HTML {
        "<div><dt>\(name)</dt><dd>\(figure)<small>\(detail)</small></dd></div>\n"
    }

    private func rate(_ name: String, _ value: Double) -> HTML {
        .figure(name, value, text: "\(FigureText.number(value))/s")
    }
}
