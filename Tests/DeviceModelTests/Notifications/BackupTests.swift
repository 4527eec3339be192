import DeviceModel
import Testing
import WaypostSchema

/// Backups that are restored on another device.
@Suite struct BackupTests {
    private static let tv: BundleIdentifier = "com.example.tv"
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let voip = TokenPurpose(.voip, of: tv)
    private static let control = TokenPurpose(.control, of: tv, name: "play")
    private static let alerts = TokenPurpose(.app, of: clownTown)

    private static let backup = DeviceDescription(
        name: "Phone",
        apps: [
            AppDescription(
                bundleIdentifier: tv,
                scenes: [SceneSession(persistentIdentifier: "main", state: .foregroundActive)],
                backgroundModes: [.voip],
                tokens: [.voip, .control]
            )
        ],
        language: "ja",
        lowPowerMode: true,
        airplaneMode: true,
        locked: true
    )

    /// A device with another app, whose token is `a`, and with the app of the backup, whose tokens are `v` and `c`.
    private static func device() throws -> DeviceModel {
        let other = AppDescription(bundleIdentifier: clownTown, scenes: [], tokens: [.app])
        var device = try DeviceModel(DeviceDescription(name: "New", apps: [other] + backup.apps))
        device.go(
            through: .token(.tokenAssigned(alerts, "a")),
            .token(.tokenAssigned(voip, "v")),
            .token(.tokenRequested(control)),
            .token(.tokenAssigned(control, "c"))
        )
        return device
    }

    @Test func everyEarlierTokenEndsAndThoseOfTheBackupAreRequested() throws {
        var device = try Self.device()
        let effects = device.go(through: .system(.backupRestored(Self.backup)))
        #expect(
            effects == [
                .token(.tokenChanged(Self.alerts, nil)), .token(.tokenChanged(Self.voip, nil)),
                .token(.tokenChanged(Self.control, nil)), .system(.deviceRestored),
            ]
        )
        #expect(device.tokens.current == [AppToken(for: Self.voip)])
        #expect(Set(device.tokens.ended.compactMap(\.token)) == ["a", "v", "c"])
    }

    @Test func deviceGetsAppsAndSettingsAndKeepsItsNameAndSwitches() throws {
        var device = try Self.device()
        device.go(through: .system(.backupRestored(Self.backup)))
        let description = device.description
        #expect(description.apps.map(\.bundleIdentifier) == [Self.tv])
        #expect(description.apps.first?.scenes.map(\.state) == [.disconnected])
        #expect(description.language == "ja")
        #expect(description.name == "New")
        #expect(!description.airplaneMode && !description.lowPowerMode && description.locked == nil)
    }

    /// A backup is often of a device with another system.
    @Test func deviceKeepsItsSystemAndItsCall() throws {
        var device = try DeviceModel(DeviceDescription(name: "New", system: "26.4", apps: [], activeCall: true))
        var backup = Self.backup
        backup.system = "18.0"
        device.go(through: .system(.backupRestored(backup)))
        #expect(device.description.system == "26.4")
        #expect(device.description.activeCall == true)
        device.go(through: .setting(.activeCallSet(isOn: false)))
        backup.activeCall = true
        device.go(through: .system(.backupRestored(backup)))
        #expect(device.description.activeCall == nil)
    }

    /// A restoration installs the apps.
    @Test(arguments: [(true, false), (false, false), (nil, nil)] as [(Bool?, Bool?)])
    func restoredAppHasNotRun(_ hadRun: Bool?, hasRun: Bool?) throws {
        var device = try Self.device()
        var backup = Self.backup
        backup.apps[0].liveActivities = LiveActivitySettings(hasRun: hadRun)
        backup.apps[0].tokens = [.voip, .pushToStart]
        device.go(through: .system(.backupRestored(backup)))
        #expect(device.description.apps.first?.liveActivities?.hasRun == hasRun)
        let kinds: [TokenPurpose.Kind] = hasRun == nil ? [.voip, .pushToStart] : [.voip]
        #expect(device.tokens.current.map(\.purpose.kind) == kinds)
    }

    @Test func unusableBackupChangesNothing() throws {
        var device = try Self.device()
        let tokens = device.tokens
        var backup = Self.backup
        backup.apps += backup.apps
        guard case .system(.eventIgnored(let ignored)) = device.go(through: .system(.backupRestored(backup))).first
        else {
            Issue.record("it is not ignored")
            return
        }
        #expect(ignored.reason == .unusableDescription)
        #expect(device.tokens == tokens)
        #expect(device.description.apps.count == 2)
    }
}
