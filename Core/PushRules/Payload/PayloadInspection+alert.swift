internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// The alert and the sound of a payload.
extension PayloadInspection {
    /// The files that can be a sound ("UNNotificationSound").
    private static let soundExtensions = ["aif", "aiff", "caf", "wav"]

    /// Reports an alert that shows nothing, and keys whose effect depends on it.
    mutating func inspectAlert() {
        if let alert = value(of: "alert"), isEmpty(alert) {
            let rest = context.pushType == "liveactivity" ? "" : "; a sound and a badge work, but no banner appears"
            add(.emptyAlert, .warning, "the alert has no text\(rest)", at: alert.offset)
        }
        inspectLocalizedTexts()
        if let node = value(of: "mutable-content"), node.wholeNumber == 1, !hasVisibleAlert {
            let message = "'mutable-content' needs an alert: the service extension runs only for a push that shows one"
            add(.missingKey, .error, message, at: node.offset)
        }
        guard context.pushType == .alert, contract.pushType == .alert, hasVisibleAlert,
            let node = value(of: "content-available")
        else { return }
        let message = "with an alert, 'content-available' starts the app no more often than a background push would"
        add(.limitedEffect, .note, message, at: node.offset)
    }

    /// Returns whether an alert of the right shape has no text.
    private func isEmpty(_ alert: JSONNode) -> Bool {
        switch alert.value {
        case .string(let text): text.isEmpty
        case .object: !hasVisibleAlert
        default: false
        }
    }

    /// Reports an empty text beside the key of a localized one.
    private mutating func inspectLocalizedTexts() {
        let members = value(of: "alert")?.members ?? []
        for (text, key) in [("title", "title-loc-key"), ("subtitle", "subtitle-loc-key"), ("body", "loc-key")] {
            guard let member = members.last(where: { $0.name == text }), member.value.string == "",
                members.contains(where: { $0.name == key })
            else { continue }
            let message = "the empty '\(text)' can hide the text of '\(key)'; leave it out"
            add(.conflictingKeys, .warning, message, at: member.offset)
        }
    }

    /// Reports a sound that does not play as written.
    mutating func inspectSound() {
        guard let node = value(of: "sound") else { return }
        if context.pushType == "liveactivity", value(of: "alert") != nil {
            add(.misplacedKey, .warning, "the 'sound' of a Live Activity belongs inside 'alert'", at: node.offset)
        }
        if value(of: "interruption-level")?.string == "passive" {
            add(
                .limitedEffect,
                .note,
                "a passive notification plays no sound, and leaves the screen dark",
                at: node.offset
            )
        }
        guard let members = node.members else { return inspectSoundName(node) }
        if members.last(where: { $0.name == "critical" })?.value.wholeNumber != 1 {
            let message = "an object is for critical alerts, with \"critical\": 1; for another sound, write its name"
            add(.limitedEffect, .warning, message, at: node.offset)
        }
        if let name = members.last(where: { $0.name == "name" })?.value { inspectSoundName(name) }
    }

    private mutating func inspectSoundName(_ node: JSONNode) {
        guard let name = node.string, name != "default", !name.isEmpty else { return }
        let problem: String
        if name.lowercased() == "default" {
            problem = "is not 'default', which has only lowercase letters"
        } else if name.contains("/") {
            problem = "is a path; a sound is named by its file"
        } else if !Self.soundExtensions.contains(where: { name.lowercased().hasSuffix(".\($0)") }) {
            problem = "does not name a file in aiff, wav or caf format, with its extension"
        } else {
            return
        }
        let message = "the sound '\(name.safe(for: .excerpt))' \(problem), so the default sound plays"
        add(.unusableSound, .warning, message, at: node.offset)
    }
}
