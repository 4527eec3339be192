internal import WaypostSchema

extension SurfacingGate {
    /// Returns how to let a link of a message pass the gate into an app's list; `nil` if no command or key does that.
    func remedy(for app: BundleIdentifier, message: Message) -> String? {
        switch self {
        case .contact: message.sender.map { "'waypost device save-contact NAME \($0)' saves one" }
        case .capability: "'sharedWithYou: true' in the app's description declares it"
        case .associatedDomain: "'associatedDomains' in the app's description declares it"
        case .sharingEverywhere: "'waypost device consent on' turns it on"
        case .sharingWithApp: "'waypost device consent on --app \(app)' turns it on"
        case .sharingFromConversation:
            "'waypost device consent on --conversation \(message.conversation)' turns it on"
        case .permission:
            """
            'waypost device pin \(message.id)' gives it; 'waypost device consent on --app \(app) --automatic' gives it \
            to later links
            """
        case .notRemoved: "'waypost device pin \(message.id)' brings the link back"
        case .messageSeen, .linkDetected, .webScheme, .contentKey, .notFromMe, .appInstalled, .associationFile,
            .associationRule, .notSuperseded, .merged, .curation, .ranked, .delivered:
            nil
        }
    }
}
