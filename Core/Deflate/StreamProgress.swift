/// The progress of one bounded call to an inflater or a deflater.
public struct StreamProgress: Sendable, Equatable {
    /// The number of input bytes used; pass the rest again.
    public var consumedCount: Int

    /// The number of bytes appended to the output.
    public var producedCount: Int
}
