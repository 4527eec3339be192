internal import Fleets
internal import Histogram

extension LoadResult {
    /// The latency to the arrival on the device as percentile text, which HdrHistogram's plotters read.
    package var percentileText: String {
        var text = ""
        // Values in milliseconds.
        delivered.recordedHistogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1_000)
        return text
    }
}
