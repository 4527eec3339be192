import Fleets
import Foundation
import GatewayClient
import Histogram
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import LoadTesting

/// The HTML report as a browser shows it.
@Suite struct LoadReportTests {
    private struct Shown: Decodable {
        /// A figure: its name, its value, and the text that people see.
        struct Figure: Decodable {
            let name: String
            let value: String?
            let text: String
            let isVisible: Bool
        }

        let figures: [Figure]
        let charts: [String]
        let scripts: Int
        let pageWidth: Int
        let requests: [String]
    }

    /// A result with warnings, errors, a warm-up, a second without arrivals, and a hostile name.
    private static let result: LoadResult = {
        var result = LoadResult(
            run: LoadRunDescription(
                name: "<script>document.title='broken'</script> & \u{202E}gnp",
                start: Timestamp(milliseconds: 1_700_000_000_000),
                duration: 20,
                warmUp: 2,
                settings: [LoadRunDescription.Setting(name: "rate", value: "<b>2000</b>")],
                machine: [LoadRunDescription.Setting(name: "cores", value: "2")],
                gateway: []
            )
        )
        var (histogram, random) = (Histogram<UInt64>.microseconds, SeededRandom(seed: 1))
        for _ in 0..<5_000 { histogram.record(UInt64(500 + 40_000 * random.nextShare() * random.nextShare())) }
        result.accepted = LatencySummary(histogram)
        result.delivered = LatencySummary(histogram)
        result.acknowledged = LatencySummary(histogram)
        (result.offered, result.achieved, result.requests, result.lateStarts) = (40_000, 39_990, 400, 7)
        (result.offeredRate, result.achievedRate) = (2_000, 1_999.5)
        (result.lost, result.duplicated, result.reordered) = (3, 2, 1)
        result.lostIDs = ["00000001-0000-8000-8000-000000000001"]
        result.errors = ["BadDeviceToken": 8, "<img src=x onerror=alert(1)>": 2]
        result.warnings = ["Something was busy."]
        result.objectives = [try? Objective("lost=0")].compactMap { $0?.evaluate(result) }
        result.seconds = (-2..<20).map { number in
            var second = LoadSecond(second: number)
            (second.offered, second.accepted, second.delivered, second.acknowledged) = (2_000, 1_999, 1_998, 1_997)
            (second.backlog, second.connected, second.errors) = (number * number, 500, number % 3)
            if number != 5 { (second.p50, second.p99, second.max) = (3, 12 + Double(number), 40) }
            second.gateway = GatewaySecond(
                cpu: 0.8,
                memory: 85_000_000,
                sync: 0.3,
                queues: ["commit queue": number + 2]
            )
            (second.generatorBusy, second.othersBusy) = (0.3, 0.1)
            return second
        }
        return result
    }()

    /// Shows the report in a frame of a width, and reads it back.
    private static func shown(width: Int) async throws -> Shown {
        let report = LoadReport(result).html
        let source = report.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        return try await BrowserResult.evaluate(
            """
            <!DOCTYPE html><html><head><meta charset="utf-8"></head><body>
            <iframe style="width: \(width)px; height: 900px; border: 0" srcdoc="\(source)"></iframe>
            <pre id="result"></pre><script>\(BrowserResult.function)
            const frame = document.querySelector('iframe');
            frame.addEventListener('load', () => {
              const page = frame.contentDocument;
              finish({
                figures: Array.from(page.querySelectorAll('[data-figure]'), element => {
                  const box = element.getBoundingClientRect();
                  return {
                    name: element.dataset.figure, value: element.getAttribute('value'), text: element.textContent,
                    isVisible: box.width > 0 && box.height > 0 && box.left >= 0 && box.right <= \(width)
                  };
                }),
                charts: Array.from(page.querySelectorAll('svg[aria-label]'), chart => chart.getAttribute('aria-label')),
                scripts: page.scripts.length,
                pageWidth: page.documentElement.scrollWidth,
                requests: frame.contentWindow.performance.getEntriesByType('resource').map(entry => entry.name)
              });
            });
            </script></body></html>
            """,
            as: Shown.self
        )
    }

    @Test(arguments: [390, 1_280]) func figuresAreReadBack(_ width: Int) async throws {
        let (shown, result) = (try await Self.shown(width: width), Self.result)
        let latencies = [
            ("accepted", result.accepted), ("delivered", result.delivered), ("acknowledged", result.acknowledged),
        ]
        var expected: [String: Double] = [
            "lost": 3, "duplicated": 2, "reordered": 1, "offeredRate": 2_000, "achievedRate": 1_999.5, "lateStarts": 7,
            "errors.BadDeviceToken": 8, "headline.p50": result.delivered.p50, "headline.p99": result.delivered.p99,
            "headline.max": result.delivered.max, "errors.<img src=x onerror=alert(1)>": 2,
        ]
        for (name, latency) in latencies {
            let values = [
                "count": Double(latency.count), "p50": latency.p50, "p90": latency.p90, "p99": latency.p99,
                "p999": latency.p999, "max": latency.max,
            ]
            for (figure, value) in values { expected["\(name).\(figure)"] = value }
        }
        let read = shown.figures.compactMap { figure in figure.value.flatMap(Double.init).map { (figure.name, $0) } }
        #expect(Dictionary(read) { first, _ in first } == expected)
        for figure in shown.figures {
            #expect(figure.isVisible, "\(figure.name)")
            #expect(!figure.text.isEmpty, "\(figure.name)")
        }
        let texts = Dictionary(shown.figures.map { ($0.name, $0.text) }) { first, _ in first }
        #expect(texts["achievedRate"] == "2,000/s")
        #expect(texts["verdict"] == "Objectives not met: 1 of 1: lost=0 (3).")
        #expect(texts["name"] == "<script>document.title='broken'</script> & \u{FFFD}gnp")
    }

    @Test(arguments: [390, 1_280]) func pageFitsItsWidthAndNeedsNothingElse(_ width: Int) async throws {
        let shown = try await Self.shown(width: width)
        #expect(shown.pageWidth <= width)
        #expect(shown.scripts == 0)
        #expect(shown.requests.isEmpty)
        // Percentiles, five charts of the load, and six of the programs.
        #expect(shown.charts.count == 12)
        #expect(shown.charts.allSatisfy { !$0.isEmpty })
        #expect(shown.charts.contains { $0.contains("largest in second 19") })
    }
}
