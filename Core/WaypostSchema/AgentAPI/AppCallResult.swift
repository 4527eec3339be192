/// The value that an app gives to the completion handler of a call.
///
/// Each function reads its own member, and ignores the others.
public struct AppCallResult: Codable, Sendable, Equatable {
    /// The result of a background update (`UIBackgroundFetchResult`).
    public enum FetchResult: String, StringEnum {
        /// There was new data.
        case newData

        /// There was nothing new.
        case noData

        /// The data could not be loaded.
        case failed
    }

    /// The answer to `didReceiveRemoteNotification`; `noData` if absent.
    public var fetchResult: FetchResult?

    /// The answer to `willPresent`: the parts of the notification that the user sees and hears; if absent, those that the
    /// app's description names (`foregroundPresentation`).
    public var presentationOptions: [PresentationOption]?

    /// The answer to `didReceiveRequest`: the payload as the extension changed it; the original one if absent.
    public var payload: JSONValue?

    /// The answer to `didReceiveRequest`: the communication that the extension donates; absent for none.
    public var communication: Communication?

    /// The answer to `didReceiveIncomingPush` for a VoIP push: whether the app reported a call; absent for no.
    public var reportedCall: Bool?

    /// The answer to `didReceiveIncomingPush` for a push to talk: the participant who speaks; absent for none.
    public var participant: String?

    /// The answer to `didReceiveIncomingPush` for a push to talk: whether the app leaves the channel; absent for no.
    public var leavesChannel: Bool?

    /// Creates the value from its parts.
    public init(
        fetchResult: FetchResult? = nil,
        presentationOptions: [PresentationOption]? = nil,
        payload: JSONValue? = nil,
        communication: Communication? = nil,
        reportedCall: Bool? = nil,
        participant: String? = nil,
        leavesChannel: Bool? = nil
    ) {
        self.fetchResult = fetchResult
        self.presentationOptions = presentationOptions
        self.payload = payload
        self.communication = communication
        self.reportedCall = reportedCall
        self.participant = participant
        self.leavesChannel = leavesChannel
    }
}
