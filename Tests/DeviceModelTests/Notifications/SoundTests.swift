import DeviceModel
import Testing
import WaypostSchema

/// The sound that a device plays: the file of the app, or the default sound.
@Suite struct SoundTests {
    /// A sound of a payload, and what the device plays.
    struct Case: Sendable, CustomTestStringConvertible {
        var files: [String]? = ["horn.caf", "bell.wav"]
        var sound: String
        var name: String
        var note: String?
        var testDescription: String { sound }
    }

    @Test(arguments: [
        Case(sound: #""horn.caf""#, name: "horn.caf"),
        Case(sound: #""default""#, name: "default"),
        Case(sound: #""horn.cfa""#, name: "default", note: "no sound file 'horn.cfa', did you mean 'horn.caf'?"),
        Case(sound: #""bell""#, name: "default", note: "no sound file 'bell', did you mean 'bell.wav'?"),
        Case(sound: #""Horn.caf""#, name: "default", note: "no sound file 'Horn.caf', did you mean 'horn.caf'?"),
        Case(sound: #""whistle.aiff""#, name: "default", note: "no sound file 'whistle.aiff'"),
        Case(files: [], sound: #""horn.caf""#, name: "default", note: "no sound file 'horn.caf'"),
        Case(files: nil, sound: #""whistle.aiff""#, name: "whistle.aiff"),
    ])
    func missingFileIsTheDefaultSound(_ example: Case) throws {
        var device = try NotificationDevice(app: NotificationDevice.description(sounds: example.files))
        try device.deliver("n", #""alert":"A","sound":"# + example.sound)
        let decision = try #require(device.model.decision(on: "n"))
        #expect(decision.sound == NotificationSound(name: example.name))
        let verdict = try #require(decision.gates.first { $0.gate == .sound })
        #expect(verdict.status == .pass)
        let end = example.note.map { "; \(NotificationDevice.app) has \($0)" } ?? ""
        #expect(verdict.explanation == "it plays '\(example.name)'\(end)")
    }

    @Test func criticalAlertKeepsItsVolumeWithoutItsFile() throws {
        let settings = NotificationSettings(criticalAlertSetting: true)
        let app = NotificationDevice.description(settings: settings, sounds: ["horn.caf"])
        var device = try NotificationDevice(app: app)
        try device.deliver("n", #""alert":"A","sound":{"critical":1,"name":"bell.caf","volume":0.5}"#)
        let decision = try #require(device.model.decision(on: "n"))
        #expect(decision.sound == NotificationSound(name: "default", isCritical: true, volume: 0.5))
        let verdict = try #require(decision.gates.first { $0.gate == .sound })
        #expect(verdict.explanation.hasSuffix("has no sound file 'bell.caf'"))
    }

    @Test func soundOfALiveActivityNeedsItsFile() throws {
        var device = try NotificationDevice(app: NotificationDevice.description(sounds: []))
        let aps = """
            "event":"start","timestamp":1790000000,"attributes-type":"A","attributes":{},"content-state":{},\
            "alert":{"title":"A","body":"B","sound":"horn.caf"}
            """
        try device.deliver("n", aps, suffix: ".push-type.liveactivity", pushType: "liveactivity")
        #expect(device.model.decision(on: "n")?.sound == NotificationSound(name: "default"))
    }

    /// A notification on a device whose mute switch is on, and whether it is heard.
    struct MutedCase: Sendable, CustomTestStringConvertible {
        var name: String
        var aps = #""alert":"A","sound":"default""#
        var settings = NotificationSettings(criticalAlertSetting: true)
        var isHeard = false
        var testDescription: String { name }
    }

    @Test(arguments: [
        MutedCase(name: "an alert"),
        MutedCase(
            name: "a time-sensitive alert",
            aps: #""alert":"A","sound":"default","interruption-level":"time-sensitive""#
        ),
        MutedCase(
            name: "a critical alert that the user does not allow",
            aps: #""alert":"A","sound":{"critical":1,"name":"default"}"#,
            settings: NotificationSettings()
        ),
        MutedCase(
            name: "a critical alert",
            aps: #""alert":"A","sound":{"critical":1,"name":"default"}"#,
            isHeard: true
        ),
        MutedCase(
            name: "a critical alert without a sound of its own",
            aps: #""alert":"A","interruption-level":"critical""#,
            isHeard: true
        ),
    ])
    func muteSwitchSilencesAllButCriticalAlerts(_ example: MutedCase) throws {
        var device = try NotificationDevice(app: NotificationDevice.description(settings: example.settings))
        device.apply(.setting(.muteSwitchSet(isOn: true)))
        #expect(device.model.description.muteSwitch == true)
        try device.deliver("n", example.aps)
        let muted = try #require(device.model.decision(on: "n"))
        #expect(muted.presentation == .immediate)
        #expect((muted.sound != nil) == example.isHeard)
        let verdict = try #require(muted.gates.first { $0.gate == .sound })
        #expect((verdict.explanation == "the mute switch is on") == !example.isHeard)
        device.apply(.setting(.muteSwitchSet(isOn: false)))
        #expect(device.model.description.muteSwitch == nil)
        try device.deliver("m", example.aps)
        #expect(device.model.decision(on: "m")?.sound != nil)
    }

    @Test func deviceFileMayTurnTheMuteSwitchOn() throws {
        let description = DeviceDescription(name: "iPad", apps: [NotificationDevice.description()], muteSwitch: true)
        var device = try NotificationDevice()
        device.apply(.system(.deviceDescribed(description)))
        try device.deliver("n", #""alert":"A","sound":"default""#)
        #expect(device.model.decision(on: "n")?.sound == nil)
        #expect(device.model.description.muteSwitch == true)
    }

    @Test func reasonThatItDoesNotInterruptStandsBeforeTheMuteSwitch() throws {
        var device = try NotificationDevice(focus: Focus(name: "Work"))
        device.apply(.setting(.muteSwitchSet(isOn: true)))
        try device.deliver("n", #""alert":"A","sound":"default""#)
        let verdict = try #require(device.model.decision(on: "n")?.gates.first { $0.gate == .sound })
        #expect(verdict.status == .fail && verdict.explanation.contains("the Focus Work silences"))
    }
}
