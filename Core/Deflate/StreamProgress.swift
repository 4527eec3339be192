/// What one bounded call of an inflater or a deflater did.
public struct StreamProgress: Sendable, Equatable {
    /// The bytes of the input that were used; the rest is to be passed again.
    public var consumed: Int

    /// The bytes that were appended to the output.
    public var produced: Int
}
