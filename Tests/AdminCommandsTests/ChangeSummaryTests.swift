import Testing
import WaypostSchema

@testable import AdminCommands

/// The changes that `waypost up` prints, and the summary of the others.
@Suite struct ChangeSummaryTests {
    @Test func fewChangesAreAllPrinted() {
        var summary = ChangeSummary()
        let printed = (0..<ChangeSummary.maximumPerSecond).map { _ in summary.printsChange(to: .stored) }
        #expect(printed.allSatisfy { $0 })
        let line = summary.endSecond()
        #expect(line == nil)
    }

    @Test func restOfASecondIsSummarized() {
        var summary = ChangeSummary()
        for _ in 0..<ChangeSummary.maximumPerSecond { _ = summary.printsChange(to: .stored) }
        let states: [DeliveryState] = [.acknowledged, .acknowledged, .sent]
        let printed = states.map { summary.printsChange(to: $0) }
        #expect(printed == [false, false, false])
        let lines = [summary.endSecond(), summary.endSecond()]
        #expect(lines == ["… 3 more changes in this second: 1 sent, 2 acknowledged", nil])
        let isPrinted = summary.printsChange(to: .stored)
        #expect(isPrinted)
    }
}
