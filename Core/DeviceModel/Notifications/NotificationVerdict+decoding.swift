internal import WaypostSchema

extension NotificationVerdict {
    /// The maximum number of remarks in an explanation.
    private static let maximumRemarkCount = 4

    /// Decides whether the content of a push for a Live Activity decodes into the types of its app.
    ///
    /// - Parameters:
    ///   - attributes: the attributes, or `nil` if they do not matter.
    ///   - contentState: the content state, or `nil` if it stays as it is.
    ///   - name: the name of the type.
    ///   - types: the types of the app, by name.
    ///   - now: the time of the device.
    /// - Returns: the verdict, which names the first value that does not decode.
    static func decoding(
        attributes: JSONValue?,
        contentState: JSONValue?,
        as name: String,
        of types: [String: LiveActivityType],
        at now: Timestamp
    ) -> Self {
        guard let type = types[name] else {
            let explanation = ContentDecoding.explanation(ofMissingType: name, in: types)
            return Self(.decoding, passes: false, explanation: explanation)
        }
        var decoding = ContentDecoding(at: now, maximumCount: maximumRemarkCount)
        decoding.decode(attributes: attributes, contentState: contentState, as: type)
        if let failure = decoding.remarks.first(where: { $0.kind == .failure }) {
            return Self(.decoding, passes: false, explanation: failure.explanation)
        }
        let notes = decoding.remarks.filter { $0.kind != .unknownKey }.prefix(maximumRemarkCount)
        let sentences = ["the content decodes as \(name)"] + notes.map(\.explanation)
        return Self(.decoding, passes: true, explanation: sentences.joined(separator: "; "))
    }
}
