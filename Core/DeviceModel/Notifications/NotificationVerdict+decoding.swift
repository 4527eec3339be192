internal import TextBasics
internal import WaypostSchema

extension NotificationVerdict {
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
            let names = types.keys.sorted()
            return Self(.decoding, passes: false, explanation: explanation(ofMissingType: name, in: names))
        }
        var decoding = ContentDecoding(now: now)
        do throws(ContentDecoding.Failure) {
            if let attributes, let fields = type.attributes {
                try decoding.decode(attributes, as: fields, at: "attributes")
            }
            if let contentState, let fields = type.contentState {
                try decoding.decode(contentState, as: fields, at: "content-state")
            }
        } catch {
            return Self(.decoding, passes: false, explanation: error.explanation)
        }
        let sentences = ["the content decodes as \(name)"] + decoding.notes
        return Self(.decoding, passes: true, explanation: sentences.joined(separator: "; "))
    }

    private static func explanation(ofMissingType name: String, in names: [String]) -> String {
        let start = "the app has no Live Activities of the type '\(name.safe(for: .excerpt))', so nothing appears"
        if let nearest = name.nearest(among: names) { return "\(start); did you mean '\(nearest)'?" }
        return names.isEmpty ? start : "\(start); it has \(names.joined(separator: ", "))"
    }
}
