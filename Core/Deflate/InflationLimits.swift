/// The limits on the output of an inflater.
///
/// Both limits are checked while the output grows, so a decompression bomb uses no more memory than they allow.
public struct InflationLimits: Sendable, Equatable {
    /// The maximum number of bytes to which the whole stream may inflate.
    public var maximumOutput: Int

    /// The maximum ratio of output to input, at least 1; checked once the output is larger than `ratioExemptOutput`.
    public var maximumRatio: Int

    /// The number of output bytes up to which any ratio is allowed; short repetitive texts compress very well.
    public var ratioExemptOutput: Int

    /// Creates limits; by default, 256 MiB of output, and a ratio of 400:1 for more than 32 MiB.
    public init(
        maximumOutput: Int = 256 << 20,
        maximumRatio: Int = 400,
        ratioExemptOutput: Int = 32 << 20
    ) {
        self.maximumOutput = maximumOutput
        self.maximumRatio = maximumRatio
        self.ratioExemptOutput = ratioExemptOutput
    }

    /// Returns the number of bytes to inflate at most: one more than allowed, to detect that the limit is exceeded.
    func room(after output: Int) -> Int {
        min(maximumOutput - output, .max - 1) + 1
    }

    /// Returns the error if `output` bytes from `input` bytes exceed a limit, otherwise `nil`.
    func violation(input: Int, output: Int) -> InflateError? {
        if output > maximumOutput { return .outputLimitExceeded(limit: maximumOutput) }
        if output > ratioExemptOutput && (output - 1) / max(maximumRatio, 1) >= input {
            return .ratioLimitExceeded(limit: maximumRatio, input: input, output: output)
        }
        return nil
    }
}
