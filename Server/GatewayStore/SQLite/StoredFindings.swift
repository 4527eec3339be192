internal import Foundation
internal import WaypostSchema

/// What is unusual about a notification as it stands in the log: an array in JSON, or nothing.
enum StoredFindings {
    static func encode(_ findings: [NotificationFinding]) -> String? {
        guard !findings.isEmpty, let data = try? JSONEncoder().encode(findings) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    static func decode(_ text: String?) -> [NotificationFinding] {
        text.flatMap { try? JSONDecoder().decode([NotificationFinding].self, from: Data($0.utf8)) } ?? []
    }
}
