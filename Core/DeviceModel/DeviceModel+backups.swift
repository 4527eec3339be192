internal import Highlights
package import WaypostSchema

/// Backups of devices, which are their descriptions.
extension DeviceModel {
    /// Restores a backup of another device, or of this one: the device gets its apps and settings, and new tokens.
    ///
    /// No app runs then. A backup has no messages, notifications or Live Activities, no choices about sharing, and no
    /// tokens.
    mutating func restoreBackup(_ backup: DeviceDescription) throws(IgnoredEvent) -> [DeviceEffect] {
        var restored = DeviceModel(ranking: sharing.ranking)
        let description = descriptionAfterRestoring(backup)
        _ = try Self.convertingErrors { () throws(DescriptionError) in try restored.applyDescription(description) }
        let effects = endTokens { _ in true }
        restored.adoptUnrestoredState(of: self)
        self = restored
        return effects + [.system(.deviceRestored)]
    }

    /// Returns a backup with what is not in backups: the name and the system of this device, and the state of its
    /// switches, radios and calls.
    private func descriptionAfterRestoring(_ backup: DeviceDescription) -> DeviceDescription {
        var restored = backup
        restored.name = name
        restored.system = system
        restored.associatedDomainsDevelopment = description.associatedDomainsDevelopment
        restored.lowPowerMode = isLowPowerModeEnabled
        restored.airplaneMode = isInAirplaneMode
        restored.locked = isLocked
        restored.muteSwitch = isMuted
        restored.activeCall = hasActiveCall
        for app in restored.apps.indices {
            restored.apps[app].forgetRun()
            for scene in restored.apps[app].scenes.indices { restored.apps[app].scenes[scene].state = .disconnected }
        }
        return restored
    }
}

extension AppDescription {
    /// States that the app has not run since its installation, if its Live Activities depend on that.
    package mutating func forgetRun() {
        if liveActivities?.hasRun != nil { liveActivities?.hasRun = false }
    }
}
