package import JSONScanning
package import WaypostSchema

/// A check of a payload against the rules of its push type (`PushTypeContract`) and the keys that Apple documents
/// (`PayloadKey`).
///
/// APNs accepts any JSON object and reports no problems with its contents. The gateway reports them to the sender.
package enum PayloadCheck {
    /// The maximum number of findings that a gateway reports for a payload.
    private static let maximumFindings = 16

    /// An unusual thing in a payload, and its offset.
    package struct LocatedFinding: Sendable, Equatable {
        /// The finding.
        package let finding: NotificationFinding

        /// The offset of the byte that the finding is about.
        package let offset: Int
    }

    /// The reason for which APNs does not accept a payload.
    package enum Problem: Error, Equatable {
        /// It is not JSON.
        case notJSON(JSONError)

        /// It is JSON, but not an object, which would start at the offset.
        case notAnObject(offset: Int)

        /// It is a string at the offset that contains a JSON object.
        case encodedTwice(offset: Int)

        /// The problem, for people.
        package var message: String {
            switch self {
            case .notJSON(let error): "the payload is not JSON: \(error), at byte \(error.offset)"
            case .notAnObject: "the payload must be a JSON object"
            case .encodedTwice: "the payload must be a JSON object; it is a string that contains one, so encode it once"
            }
        }
    }

    /// The properties of a notification that its payload is checked with.
    package struct Context: Sendable {
        /// The push type.
        package var pushType: PushType

        /// The topic; empty if it is not known.
        package var topic: Topic = ""

        /// The priority; `nil` if it is not known.
        package var priority: Int?

        /// The size of the payload in bytes, as it is sent; `nil` to leave out what depends on it.
        package var size: Int?

        /// The maximum size in bytes, if it is not that of the push type.
        package var maximumSize: Int?

        /// The time at which it was sent; `nil` to leave out what depends on it.
        package var now: Timestamp?

        /// Creates the value from its parts.
        package init(
            pushType: PushType,
            topic: Topic = "",
            priority: Int? = nil,
            size: Int? = nil,
            maximumSize: Int? = nil,
            now: Timestamp? = nil
        ) {
            self.pushType = pushType
            self.topic = topic
            self.priority = priority
            self.size = size
            self.maximumSize = maximumSize
            self.now = now
        }
    }

    /// Returns the findings that a gateway reports for a payload: the first ones, errors before others.
    package static func reported(_ findings: [NotificationFinding]) -> [NotificationFinding] {
        guard findings.count > maximumFindings else { return findings }
        let errors = findings.filter { $0.severity == .error }
        return Array((errors + findings.filter { $0.severity != .error }).prefix(maximumFindings))
    }

    /// Returns the maximum size of a payload in bytes, which depends on the push type; 64 KiB for Messages events.
    package static func maximumSize(for pushType: PushType, topic: Topic) -> Int {
        if topic == .messages { return 64 << 10 }
        return (pushType.contract ?? .alert).maximumSize.value
    }

    /// Returns the unusual things in a payload, in the order of their offsets.
    ///
    /// - Parameters:
    ///   - payload: the payload, whatever its size.
    ///   - context: the notification without its payload, which determines what is usual.
    /// - Returns: the findings.
    /// - Throws: `Problem` if the payload is not a JSON object.
    package static func findings(in payload: [UInt8], _ context: Context) throws(Problem) -> [LocatedFinding] {
        guard !OrdinaryPayload.isOrdinary(payload, context) else { return [] }
        let document: JSONDocument
        do {
            document = try JSONDocument(payload)
        } catch {
            throw .notJSON(error)
        }
        guard let members = document.root.members else {
            let isEncodedTwice = document.root.string?.isJSONObject ?? false
            throw isEncodedTwice
                ? .encodedTwice(offset: document.root.offset) : .notAnObject(offset: document.root.offset)
        }
        guard !context.topic.isOfWaypost else { return [] }
        return inspect(members, at: document.root.offset, context)
    }

    /// Returns the unusual things in the members of a payload, in the order of their offsets.
    ///
    /// It is `package` only for tests and fuzz targets, which compare the result with `findings(in:_:)`.
    package static func inspect(_ members: [JSONMember], at offset: Int, _ context: Context) -> [LocatedFinding] {
        var inspection = PayloadInspection(members, at: offset, context)
        inspection.inspect()
        return inspection.findings.sorted { $0.offset < $1.offset }
    }
}
