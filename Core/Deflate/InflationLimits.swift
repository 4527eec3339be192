/// How much a compressed input may become before inflating it stops.
///
/// Both limits are judged while the output grows, so a bomb costs no more memory than they allow.
public struct InflationLimits: Sendable, Equatable {
    /// The most bytes the whole stream may inflate to.
    public var maximumOutput: Int

    /// The most output bytes a byte of input may become, at least 1, judged once the output is larger than `ratioFloor`.
    public var maximumRatio: Int

    /// The output, in bytes, up to which any ratio is honest: short texts of one line repeated compress very well.
    public var ratioFloor: Int

    /// Creates limits; the defaults are 256 MiB of output, and 400:1 once 32 MiB have come out.
    public init(
        maximumOutput: Int = 256 << 20,
        maximumRatio: Int = 400,
        ratioFloor: Int = 32 << 20
    ) {
        self.maximumOutput = maximumOutput
        self.maximumRatio = maximumRatio
        self.ratioFloor = ratioFloor
    }

    /// The bytes that may come next: one above the limit, so that reaching it and passing it are told apart.
    func room(after output: Int) -> Int {
        min(maximumOutput - output, .max - 1) + 1
    }

    /// The error that `output` bytes out of `input` bytes amount to, if any.
    func violation(input: Int, output: Int) -> InflateError? {
        if output > maximumOutput { return .outputLimitExceeded(limit: maximumOutput) }
        if output > ratioFloor && (output - 1) / max(maximumRatio, 1) >= input {
            return .ratioLimitExceeded(limit: maximumRatio, input: input, output: output)
        }
        return nil
    }
}
