import DeviceFiles
import DeviceModel
import Fleets
import LoadTesting
import Scenarios
import SchemaFiles

extension FuzzTarget {
    /// A device file.
    static let deviceFiles = FuzzTarget(
        name: "device-files",
        summary: "device files; every problem has a place in the file, and a device can be created from the others"
    ) { bytes in
        WrittenFile(bytes).check { name throws(FileFindings) in
            let description = try DeviceFile(name, schemas.device, readsFiles: false).description
            do throws(DescriptionError) {
                _ = try DeviceModel(description)
            } catch {
                promise(false, "a device can be created from a file that is accepted", found: error)
            }
        }
    }

    /// An app file.
    static let appFiles = FuzzTarget(
        name: "app-files",
        summary: "app files; every problem has a place in the file"
    ) { bytes in
        WrittenFile(bytes).check { name throws(FileFindings) in _ = try AppFile(name, schemas.app) }
    }

    /// A scenario, which may have the problems of another file.
    static let scenarioFiles = FuzzTarget(
        name: "scenario-files",
        summary: "scenarios; every problem has a place in the file"
    ) { bytes in
        let file = WrittenFile(bytes)
        guard !file.namesSystemFiles else { return }
        file.check { name throws(FileFindings) in _ = try ScenarioLoader(schemas.scenario).scenarios(in: name) }
    }

    /// A file with the behavior of a fleet.
    static let fleetFiles = FuzzTarget(
        name: "fleet-files",
        summary: "behaviors of fleets; every problem has a place in the file"
    ) { bytes in
        let file = WrittenFile(bytes)
        guard !file.namesSystemFiles else { return }
        file.check { name throws(FileFindings) in _ = try FleetBehavior(file: name, schemas.fleet) }
    }

    /// A profile of a load test.
    static let profileFiles = FuzzTarget(
        name: "profile-files",
        summary: "profiles of load tests; every problem has a place in the file"
    ) { bytes in
        let file = WrittenFile(bytes)
        guard !file.namesSystemFiles else { return }
        file.check { name throws(FileFindings) in _ = try LoadProfile(file: name, schemas.profile) }
    }

    /// The schemas, which are parsed once.
    private static let schemas: WrittenFileSchemas = {
        do {
            return try WrittenFileSchemas()
        } catch {
            endUnprepared("the schemas cannot be read: \(error)")
        }
    }()
}

/// The schemas of the files that people write.
private struct WrittenFileSchemas {
    let device: FileSchema
    let app: FileSchema
    let scenario: FileSchema
    let fleet: FileSchema
    let profile: FileSchema

    init() throws {
        device = try .device()
        app = try .app()
        scenario = try .scenario()
        fleet = try .fleet()
        profile = try .loadProfile()
    }
}
