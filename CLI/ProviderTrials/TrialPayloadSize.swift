package import WaypostSchema

/// The size of the payload of a message.
package struct TrialPayloadSize: Sendable, Equatable {
    /// The push type.
    package var pushType: PushType

    /// The number of bytes, as UTF-8 without spaces between the tokens of JSON.
    package var bytes: Int

    /// The character of the text that fills the payload.
    package var character = "x"

    /// Whether APNs refuses the payload.
    package var isTooLarge = false

    /// The sizes of the messages of a load of the kind `sizes`, in turn.
    ///
    /// The last one shows whether a provider sends calls at all.
    package static let all = [
        Self(pushType: .alert, bytes: 4_096),
        Self(pushType: .alert, bytes: 4_097, isTooLarge: true),
        Self(pushType: .alert, bytes: 4_096, character: "€"),
        Self(pushType: call, bytes: 5_120),
        Self(pushType: call, bytes: 5_121, isTooLarge: true),
        Self(pushType: call, bytes: 500),
    ]

    /// The size of the message at an index of a load.
    package static func size(at index: Int) -> Self {
        all[index % all.count]
    }

    /// Whether the message is a call, whose payload may be larger.
    package var isCall: Bool {
        pushType == Self.call
    }

    /// The push type of calls.
    private static let call: PushType = "voip"
}
