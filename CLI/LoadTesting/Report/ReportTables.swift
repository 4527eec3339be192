import WaypostSchema

/// The last part of a report: errors, objectives, lost notifications, and what was run.
struct ReportTables {
    private let result: LoadResult

    init(_ result: LoadResult) {
        self.result = result
    }

    var html: HTML {
        """
        \(errors)
        \(objectives)
        \(lostNotifications)
        <div class="settings">
        \(settings("Settings", result.run.settings))
        \(settings("Machine", result.run.machine))
        \(settings("Gateway", result.run.gateway))
        </div>
        """
    }

    private var errors: HTML {
        guard !result.errors.isEmpty else { return section("Errors", "<p>No errors.</p>") }
        let rows: [HTML] = result.errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { reason, count in
            """
            <tr><th scope="row">\(reason)</th><td>\(.figure("errors.\(reason)", count))</td>\
            <td>\(FigureText.share(count, of: result.offered))</td></tr>

            """
        }
        return section("Errors by reason", table(["Reason", "Count", "Of all offered"], rows))
    }

    private var objectives: HTML {
        guard !result.objectives.isEmpty else { return section("Objectives", "<p>No objectives were set.</p>") }
        let rows: [HTML] = result.objectives.map { objective in
            """
            <tr><th scope="row"><code>\(objective.objective)</code></th><td>\(objective.actual)</td>\
            <td class="\(objective.isMet ? "met" : "missed")">\(objective.isMet ? "✓ met" : "✗ not met")</td></tr>

            """
        }
        return section("Objectives", table(["Objective", "Measured", "Verdict"], rows))
    }

    private var lostNotifications: HTML {
        guard result.lost > 0 else { return section("Lost notifications", "<p>No notification was lost.</p>") }
        let listedIDs = result.lostIDs.prefix(20)
        let items: [HTML] = listedIDs.map { "<li><code>\($0.rawValue)</code></li>\n" }
        let remark = listedIDs.count < result.lost ? " The first \(listedIDs.count) are shown." : ""
        let sentence = "\(FigureText.count(result.lost, "accepted notification")) did not arrive.\(remark)"
        return section("Lost notifications", "<p>\(sentence)</p>\n<ul class=\"lost\">\n\(items)</ul>")
    }

    private func settings(_ title: String, _ settings: [LoadRunDescription.Setting]) -> HTML {
        guard !settings.isEmpty else { return section(title, "<p>Not recorded.</p>") }
        let rows: [HTML] = settings.map { "<tr><th scope=\"row\">\($0.name)</th><td>\($0.value)</td></tr>\n" }
        return section(title, "<table>\n\(rows)</table>")
    }

    private func section(_ title: String, _ content: HTML) -> HTML {
        "<section>\n<h2>\(title)</h2>\n\(content)\n</section>\n"
    }

    private func table(_ names: [String], _ rows: [HTML]) -> HTML {
        let headerCells: [HTML] = names.map { "<th scope=\"col\">\($0)</th>" }
        return "<table>\n<thead><tr>\(headerCells)</tr></thead>\n<tbody>\n\(rows)</tbody>\n</table>"
    }
}
