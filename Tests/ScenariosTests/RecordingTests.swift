import Scenarios
import Testing
import WaypostSchema

/// The steps of recorded journals.
@Suite struct RecordingTests {
    /// Returns the scenario of a new device whose user restored the backup of a device.
    private static func scenario(restoring source: String, name: String = "A new device") -> String {
        let events: [DeviceEvent] = [
            .system(.deviceDescribed(DeviceDescription(name: "new", apps: []))),
            .system(.backupRestored(DeviceDescription(name: source, apps: []))),
            .setting(.lowPowerModeSet(isOn: true)),
        ]
        let entries = events.map { JournalEntry(at: Timestamp(milliseconds: 1_790_000_000_000), event: $0) }
        let recording = Recording([Recording.Journal(device: "new", entries: entries, earlierEntryCount: 0)])
        return recording.scenario(named: name)
    }

    @Test func restoredBackupOfARecordedDeviceIsAStep() {
        let scenario = Self.scenario(restoring: "new")
        #expect(scenario.contains("restore-backup: { device: new, from: new }"), "\(scenario)")
    }

    /// A scenario cannot name a device that it does not have.
    @Test func restoredBackupOfAnotherDeviceIsNoStep() {
        let scenario = Self.scenario(restoring: "old")
        #expect(!scenario.contains("restore-backup"), "\(scenario)")
        #expect(scenario.contains("power: { device: new, mode: low }"), "\(scenario)")
    }

    @Test func textsHaveNoVariables() {
        let scenario = Self.scenario(restoring: "new", name: "Costs ${price} or $${price}")
        #expect(scenario.hasPrefix("name: \"Costs $${price} or $$${price}\"\n"), "\(scenario)")
    }
}
