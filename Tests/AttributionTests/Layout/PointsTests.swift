import Attribution
import Testing

@Suite struct PointsTests {
    @Test(arguments: [
        (0, "0"), (1, "0.01"), (10, "0.1"), (25, "0.25"), (100, "1"), (1205, "12.05"), (1250, "12.5"), (1225, "12.25"),
        (-1, "-0.01"), (-100, "-1"), (-1250, "-12.5"), (100_000, "1000"),
    ])
    func descriptionHasNoTrailingZeros(_ hundredths: Int, _ text: String) {
        #expect(Points(rawValue: hundredths).description == text)
    }

    @Test(arguments: [
        (0, 0), (0.29, 29), (0.5799, 57), (0.57, 57), (99.999, 9999), (1.0 / 3, 33), (2.0 / 3, 66), (-3, 0),
        (.nan, 0), (.infinity, 10_000_000), (1e300, 10_000_000), (100_000, 10_000_000), (0.009, 0),
    ])
    func numberOfPointsIsRoundedDownAndBounded(_ points: Double, _ hundredths: Int) {
        #expect(Points(roundingDown: points).rawValue == hundredths)
    }

    @Test func everyHundredthSurvivesConversion() {
        for hundredths in 0...50_000 {
            let points = Points(rawValue: hundredths)
            #expect(Points(roundingDown: points.inPoints) == points)
        }
    }

    @Test func lengthsAreAddedAndCompared() {
        #expect(Points(3) + Points(rawValue: 25) == Points(rawValue: 325))
        #expect(Points(3) - Points(4) == Points(rawValue: -100))
        #expect(Points(3) * 4 == Points(12))
        #expect(Points(3) < Points(rawValue: 301))
        #expect(Points(12).inPoints == 12)
    }
}
