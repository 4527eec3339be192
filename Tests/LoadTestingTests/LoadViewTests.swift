import Fleets
import Testing

@testable import LoadTesting

@Suite struct LoadViewTests {
    private static func second(_ number: Int, _ change: (inout LoadSecond) -> Void = { _ in }) -> LoadSecond {
        var second = LoadSecond(second: number)
        (second.offered, second.accepted, second.acknowledged, second.connected) = (2_000, 1_990, 1_980, 500)
        (second.p50, second.p99, second.max, second.backlog) = (3.14, 12.5, 140, 17)
        second.gateway = GatewaySecond(cpu: 0.84, memory: 85_300_000, sync: 0.4, queues: [:])
        change(&second)
        return second
    }

    private static func view() -> LoadView {
        var settings = LoadSettings()
        settings.name = "morning peak"
        settings.fleet.devices = 500
        return LoadView(settings)
    }

    @Test func secondIsShownInLines() {
        var view = Self.view()
        #expect(view.lines(width: 80) == [])
        view.add(Self.second(3))
        view.add(Self.second(4) { $0.reasons = ["BadDeviceToken": 3, "status 503": 1] })
        #expect(
            view.lines(width: 80) == [
                "morning peak: 5 of 10 s, 5 s left",
                "  offered       2,000/s                                ██",
                "  accepted      1,990/s                                ██",
                "  acknowledged  1,980/s                                ██",
                "  delivered in  p50 3.1 ms, p99 12.5 ms, max 140 ms    ██",
                "  backlog       17                                     ██",
                "  connected     500 of 500",
                "  gateway       0.84 cores, 85 MB, commit 0.4 ms",
                "  errors        4: BadDeviceToken 3, status 503 1",
            ]
        )
    }

    @Test func linesFitTheTerminal() {
        var view = Self.view()
        for number in 0..<60 { view.add(Self.second(number) { $0.reasons = ["a long reason \(number)": 1] }) }
        for width in [1, 20, 40, 80, 200] {
            let lines = view.lines(width: width)
            #expect(lines.count == 9)
            #expect(lines.allSatisfy { $0.count <= width })
        }
    }

    @Test func firstLineSaysHowLongItTakes() {
        var view = Self.view()
        for (number, text) in [
            (-2, "warming up, 2 s until the measured part"), (9, "10 of 10 s, 0 s left"),
            (10, "waiting for what has not arrived"),
        ] {
            view.add(Self.second(number))
            #expect(view.lines(width: 80).first == "morning peak: \(text)")
        }
    }

    @Test func secondWithoutArrivalsOrAGatewaySaysSo() {
        var view = Self.view()
        view.add(LoadSecond(second: 0))
        let lines = view.lines(width: 80)
        #expect(lines.contains { $0.hasPrefix("  delivered in  nothing arrived") })
        #expect(lines.contains("  gateway       does not answer"))
        #expect(lines.contains("  errors        none"))
    }

    /// The metrics of the last, short second often come too late.
    @Test func gatewayAnswersUntilItsMetricsAreMissingForSeconds() {
        var view = Self.view()
        view.add(Self.second(1))
        var answers: [Bool] = []
        for number in 2...4 {
            view.add(LoadSecond(second: number))
            answers.append(!view.lines(width: 80).contains("  gateway       does not answer"))
        }
        #expect(answers == [true, true, false])
    }
}
