/// A result of a load test as a page that needs no network and no script.
package struct LoadReport {
    private let result: LoadResult

    /// Creates the report of a result.
    package init(_ result: LoadResult) {
        self.result = result
    }

    /// The page as HTML.
    package var html: String { page.source }

    private var page: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(result.run.name): load test of \(FigureText.time(result.run.start))</title>
        <style>
        \(ReportStyle.css)
        </style>
        </head>
        <body>
        \(ReportSummary(result).html)
        \(latencies)
        \(overTime)
        \(ReportTables(result).html)
        </body>
        </html>

        """
    }

    private var latencies: HTML {
        """
        <section>
        <h2>Latency</h2>
        <p>Every latency begins at the intended start of the notification, even if the generator or the gateway was
        late. <b>Accepted</b> ends at the answer of the gateway, <b>delivered</b> at the arrival on the device,
        <b>acknowledged</b> at the answer to the acknowledgement.</p>
        <div class="latencies">
        \(LatencyTable(result).html)
        \(PercentileChart(result).html)
        </div>
        </section>
        """
    }

    private var overTime: HTML {
        let charts = TimeCharts(result)
        return """
            <section>
            <h2>Over time</h2>
            <p>All charts share one time axis, which is 0 at the start of the measured part. A gap is a second without a
            measurement.</p>
            \(charts.load)
            \(charts.programs)
            </section>
            """
    }
}
