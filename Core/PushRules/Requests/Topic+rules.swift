internal import TextBasics
package import WaypostSchema

extension PushType {
    /// The suffix of the topic for this push type ("Sending notification requests to APNs").
    package var topicSuffix: String? {
        switch self {
        case "complication": ".complication"
        case "controls": ".push-type.controls"
        case "fileprovider": ".pushkit.fileprovider"
        case "liveactivity": ".push-type.liveactivity"
        case "location": ".location-query"
        case "pushtotalk": ".voip-ptt"
        case "voip": ".voip"
        case "widgets": ".push-type.widgets"
        default: nil
        }
    }
}

extension Topic {
    /// Whether it can be a bundle identifier, with or without a suffix.
    package var isWellFormed: Bool {
        (1...255).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".-_".utf8.contains($0) }
    }
}
