import PushRules
import Testing
import WaypostSchema

@Suite struct TopicMismatchTests {
    @Test(
        arguments: [
            ([], false, "the device is registered for no topic, so not for com.example.clowns"),
            (["com.example.tv"], false, "the device is registered for com.example.tv, not for com.example.clowns"),
            (
                ["com.example.tv"], true,
                "the device is registered for com.example.tv, not for com.example.clowns, the topic of the certificate"
            ),
            (
                ["com.example.Clowns", "waypost.messages"], false,
                "the device is registered for com.example.Clowns, not for com.example.clowns; upper and lower case differ"
            ),
            (
                ["a", "com.example.clowns.voip"], false,
                "the device is registered for com.example.clowns.voip, a, not for com.example.clowns; the suffix '.voip' "
                    + "is missing"
            ),
            (
                ["com.example"], false,
                "the device is registered for com.example, not for com.example.clowns; the device has the topic without "
                    + "'.clowns'"
            ),
            (
                ["a", "b", "c", "d", "e"], false,
                "the device is registered for a, b, c and 2 more, not for com.example.clowns"
            ),
        ] as [(Set<Topic>, Bool, String)]
    )
    func messageNamesTheTopicsAndWhatDiffers(
        _ registered: Set<Topic>,
        _ isFromCertificate: Bool,
        _ message: String
    ) {
        let mismatch = TopicMismatch(
            "com.example.clowns",
            registered: registered,
            isFromCertificate: isFromCertificate
        )
        #expect(mismatch.message == message)
    }

    @Test(arguments: [
        (
            ".push-type.liveactivity",
            "'supportsLiveActivities: true' in the app's description adds '.push-type.liveactivity'"
        ),
        (".voip", "'backgroundModes: [voip]' in the app's description adds '.voip'"),
        (".voip-ptt", "'backgroundModes: [push-to-talk]' in the app's description adds '.voip-ptt'"),
        (
            ".complication",
            "'pushReceivers: [complication]' in the app's description adds '.complication'"
        ),
        (
            ".push-type.nowplaying",
            "no key of an app's description adds '.push-type.nowplaying'; register the device for the topic by hand"
        ),
    ])
    func suffixOfAPushTypeHasACure(_ suffix: String, _ cure: String) {
        let mismatch = TopicMismatch(
            Topic(rawValue: "com.example.tv" + suffix),
            registered: ["com.example.tv"],
            isFromCertificate: false
        )
        #expect(mismatch.message.hasSuffix("not for com.example.tv\(suffix); \(cure)"), "\(mismatch.message)")
    }

    @Test func teamPrefixIsRecognized() {
        for (topic, hint) in [
            ("AB12CD34EF.com.example.clowns", "; leave out the team prefix 'AB12CD34EF.'"),
            ("AB12CD34E.com.example.clowns", ""), ("AB12-D34EF.com.example.clowns", ""),
        ] {
            let mismatch = TopicMismatch(
                Topic(rawValue: topic),
                registered: ["com.example.clowns"],
                isFromCertificate: false
            )
            #expect(
                mismatch.message == "the device is registered for com.example.clowns, not for \(topic)\(hint)"
            )
        }
    }
}
