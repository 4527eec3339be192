extension String {
    /// The text between U+2068 and U+2069, so that its direction does not reorder what stands around it (UAX #9).
    public var isolated: String {
        "\u{2068}\(self)\u{2069}"
    }
}
