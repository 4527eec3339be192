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
        <p><span data-figure="start">\(FigureText.time(result.run.start))</span> · \(length)</p>
        </header>
        \(verdict)
        \(warnings)
        <dl class="figures">
        \(rates)
        \(delivered)
        </dl>
        """
    }

    private var length: String {
        let measured = "\(duration(result.run.duration)) measured"
        guard result.run.warmUp > 0 else { return "\(measured), without a warm-up" }
        return "\(measured) after a warm-up of \(duration(result.run.warmUp))"
    }

    private func duration(_ seconds: Double) -> String {
        // A minute or less is easier to compare in seconds.
        FigureText.duration(seconds, step: seconds > 60 ? seconds : 1)
    }

    private var verdict: HTML {
        let (style, sentence) = judgment
        return """
            <section class="verdict \(style)">
            <p><strong data-figure="verdict">\(sentence)</strong></p>
            <p>\(.figure("lost", result.lost)) lost · \(.figure("duplicated", result.duplicated)) duplicated ·
            \(.figure("reordered", result.reordered)) reordered</p>
            </section>
            """
    }

    /// The class that gives the verdict its color, and the verdict.
    private var judgment: (style: String, sentence: String) {
        let count = result.objectives.count
        let missed = result.objectives.count { !$0.isMet }
        guard missed == 0 else { return ("bad", "Objectives not met: \(missed) of \(count).") }
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
        let offered = FigureText.count(result.offered, "notification")
        let achieved = FigureText.share(result.achieved, of: result.offered)
        let late = FigureText.share(result.lateStarts, of: result.requests)
        return """
            \(tile("Offered rate", rate("offeredRate", result.offeredRate), detail: offered))
            \(tile("Achieved rate", rate("achievedRate", result.achievedRate), detail: "\(achieved) of all offered"))
            \(tile("Late starts", .figure("lateStarts", result.lateStarts), detail: "\(late) of all requests, over 1 ms"))
            """
    }

    private var delivered: HTML {
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
