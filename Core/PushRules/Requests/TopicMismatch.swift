package import WaypostSchema

/// The difference between the topic of a notification and the topics of its device, for people.
package struct TopicMismatch: Sendable {
    /// The maximum number of topics that are compared.
    private static let maximumComparedTopics = 50

    private let topic: Topic
    private let registered: [Topic]
    private let isFromCertificate: Bool

    /// Creates the value.
    ///
    /// - Parameters:
    ///   - topic: the topic of the notification.
    ///   - registered: the topics of the device, without that topic.
    ///   - isFromCertificate: whether the topic is that of the sender's certificate.
    package init(_ topic: Topic, registered: Set<Topic>, isFromCertificate: Bool) {
        self.topic = topic
        // Devices have topics of their own for messages and activities, which no provider uses.
        self.registered = registered.subtracting([.messages, .activities]).sorted { $0.rawValue < $1.rawValue }
        self.isFromCertificate = isFromCertificate
    }

    /// The topics of the device, the topic, and what differs, if they are similar.
    package var message: String {
        let source = isFromCertificate ? ", the topic of the certificate" : ""
        guard !registered.isEmpty else {
            return "the device is registered for no topic, so not for \(topic)\(source)"
        }
        let similar = registered.prefix(Self.maximumComparedTopics).first { difference(from: $0) != nil }
        // The topic to which the hint refers must be one of those that are listed.
        let listed = ((similar.map { [$0] } ?? []) + registered.filter { $0 != similar }).listing
        let hint = similar.flatMap(difference).map { "; \($0)" } ?? ""
        return "the device is registered for \(listed), not for \(topic)\(source)\(hint)"
    }

    /// Returns what differs from a topic of the device; `nil` if the two have little in common.
    private func difference(from other: Topic) -> String? {
        let (topic, other) = (topic.rawValue, other.rawValue)
        if topic.lowercased() == other.lowercased() { return "upper and lower case differ" }
        if topic.hasPrefix(other + ".") { return Self.advice(forMissing: String(topic.dropFirst(other.count))) }
        if other.hasPrefix(topic + ".") { return "the suffix '\(other.dropFirst(topic.count))' is missing" }
        let prefix = topic.dropLast(other.count)
        // A team identifier has ten letters and digits.
        let isTeam = prefix.dropLast().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard topic.hasSuffix("." + other), prefix.utf8.count == 11, isTeam else { return nil }
        return "leave out the team prefix '\(prefix)'"
    }

    /// Returns how the device gets its topic with a suffix, too.
    private static func advice(forMissing suffix: String) -> String {
        guard let row = PushTypeContract.all.first(where: { $0.topicSuffix == suffix }) else {
            return "the device has the topic without '\(suffix)'"
        }
        if let key = row.descriptionKey { return "'\(key)' in the app's description adds '\(suffix)'" }
        return "no key of an app's description adds '\(suffix)'; register the device for the topic by hand"
    }
}

extension [Topic] {
    /// The maximum number of topics in a message.
    private static var maximumListedTopics: Int { 3 }

    /// The first topics, and the number of the others.
    package var listing: String {
        let names = prefix(Self.maximumListedTopics).map(\.rawValue).joined(separator: ", ")
        let rest = count - Self.maximumListedTopics
        return rest > 0 ? "\(names) and \(rest) more" : names
    }
}
