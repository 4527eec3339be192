internal import DeviceFiles
internal import Foundation
internal import JSONScanning
internal import SchemaFiles
internal import WaypostSchema
internal import Yams

/// Builds a scenario from its files, for one combination of its matrix.
struct ScenarioBuilder {
    private let schema: FileSchema
    private let sourceFiles: [ScenarioLoader.SourceFile]
    private let variables: [String: String]
    private var findings: [FileFinding] = []
    private var devices: [ScenarioDevice] = []

    init(_ schema: FileSchema, sourceFiles: [ScenarioLoader.SourceFile], variables: [String: String]) {
        self.schema = schema
        self.sourceFiles = sourceFiles
        self.variables = variables
    }

    /// Returns the scenario; the values of the matrix become part of its name.
    ///
    /// - Throws: `FileFindings` with all problems.
    func scenario(_ values: [String]) throws(FileFindings) -> Scenario {
        var builder = self
        let scenario = builder.build(values)
        guard let scenario, builder.findings.isEmpty else { throw FileFindings(builder.findings) }
        return scenario
    }

    private mutating func build(_ values: [String]) -> Scenario? {
        for sourceFile in sourceFiles { readDevices(of: sourceFile.text) }
        let names = names
        var scenario: Scenario?
        for sourceFile in sourceFiles {
            var reader = SchemaReader(schema, file: sourceFile.text.file, variables: variables, names: names)
            if sourceFile.isRoot {
                scenario = readHead(of: sourceFile.text, &reader)
            } else {
                checkFragment(sourceFile.text, &reader)
            }
            findings += reader.findings
            let steps = readSteps(of: sourceFile.text, names)
            scenario?.steps += steps
            if !sourceFile.isRoot { includedSteps += steps }
        }
        scenario?.steps.insert(contentsOf: includedSteps, at: 0)
        scenario?.devices = devices
        scenario?.sources = Set(sourceFiles.map(\.text.file)).union(deviceFiles)
        if !values.isEmpty, let name = scenario?.name { scenario?.name = "\(name) (\(values.joined(separator: ", ")))" }
        if let storage = commonStorage, var completedScenario = scenario {
            for device in devices {
                for app in device.description.apps {
                    completedScenario.storage[Topic(rawValue: app.bundleIdentifier.rawValue)] = storage
                }
            }
            scenario = completedScenario
        }
        return scenario
    }

    /// The paths of the device files.
    private var deviceFiles: Set<String> = []

    /// The steps of the included files.
    private var includedSteps: [Step] = []

    /// The storage mode of all apps, if the scenario has one for all.
    private var commonStorage: StorageMode?

    /// The names of the devices with invalid descriptions.
    private var invalidDevices: [String] = []

    /// The places of the devices' names.
    private var devicePlaces: [String: SourcePlace] = [:]

    /// The names that the devices declare.
    private var names: ScenarioNames {
        var names = ScenarioNames(devices)
        names.invalidDevices = invalidDevices
        let hasAllDevices = !devices.isEmpty && invalidDevices.isEmpty
        names.isIncomplete =
            !hasAllDevices
            || sourceFiles.contains { sourceFile in
                sourceFile.text.root["steps"]?.sequence?.contains { step in
                    let type = step["event"]?["type"]?.scalar?.string ?? ""
                    return ["appInstalled", "deviceDescribed", "sceneCreated", "sceneRequested"].contains(type)
                        || step["call"] != nil
                } ?? false
            }
        return names
    }
}

extension ScenarioBuilder {
    /// Reads the scenario's own file, except for its devices and steps.
    private mutating func readHead(of text: FileText, _ reader: inout SchemaReader) -> Scenario? {
        let properties = schema.root["properties"]?.members ?? [:]
        for (key, value) in text.root.mapping ?? [:] {
            guard let name = key.scalar?.string else { continue }
            guard let property = properties[name] else {
                let hint = reader.hint(for: name, among: properties, called: "keys here")
                reader.report("unknown key '\(name)'\(hint)", at: key)
                continue
            }
            if !["devices", "steps"].contains(name) { _ = reader.read(value, as: property, called: "'\(name)'") }
        }
        let hasProblems = !reader.findings.isEmpty
        for name in ["name", "devices", "steps"] where text.root[name] == nil && !hasProblems {
            // An included file may have the devices or the steps.
            if name != "name", sourceFiles.contains(where: { $0.text.root[name] != nil }) { continue }
            reader.report("a scenario needs '\(name)'", at: text.root)
        }
        guard reader.findings.isEmpty else { return nil }
        func value(_ name: String) -> JSONValue? {
            text.root[name].flatMap { node in
                properties[name].flatMap { reader.read(node, as: $0, called: "'\(name)'") }
            }
        }
        var scenario = Scenario(name: value("name")?.string ?? "", file: text.file)
        scenario.tags = value("tags")?.elements.compactMap(\.string) ?? []
        scenario.seed = value("seed")?.integer ?? scenario.seed
        scenario.start = value("start")?.string.flatMap(StringFormat.timestamp)
        switch value("storage") {
        case .string(let mode): commonStorage = StorageMode(rawValue: mode)
        case .object(let modes):
            for (topic, mode) in modes {
                scenario.storage[Topic(rawValue: topic)] = mode.string.flatMap(StorageMode.init(rawValue:))
            }
        default: break
        }
        return scenario
    }

    /// Checks the keys of an included file.
    private func checkFragment(_ text: FileText, _ reader: inout SchemaReader) {
        let properties = schema["Fragment"]["properties"]?.members ?? [:]
        for (key, value) in text.root.mapping ?? [:] {
            guard let name = key.scalar?.string else { continue }
            guard let property = properties[name] else {
                let hint = reader.hint(for: name, among: properties, called: "keys of an included file")
                reader.report("unknown key '\(name)'\(hint)", at: key)
                continue
            }
            if !["devices", "steps"].contains(name) { _ = reader.read(value, as: property, called: "'\(name)'") }
        }
    }

    private mutating func readSteps(of text: FileText, _ names: ScenarioNames) -> [Step] {
        guard let node = text.root["steps"] else { return [] }
        var reader = SchemaReader(schema, file: text.file, variables: variables, names: names)
        guard let sequence = node.sequence else {
            reader.report("'steps'", node, mustBe: "a list")
            findings += reader.findings
            return []
        }
        if sequence.isEmpty { reader.report("'steps' is an empty list; it needs at least one element", at: node) }
        var steps = StepReader(reader)
        let parsedSteps = sequence.compactMap { steps.read($0) }
        findings += steps.findings
        return parsedSteps
    }
}

extension ScenarioBuilder {
    private mutating func readDevices(of text: FileText) {
        guard let node = text.root["devices"] else { return }
        var reader = SchemaReader(schema, file: text.file, variables: variables)
        defer { findings += reader.findings }
        guard let mapping = node.mapping else {
            reader.report("'devices'", node, mustBe: "an object: the name of each device, with its description")
            return
        }
        if mapping.isEmpty { reader.report("'devices' is empty; a scenario needs at least one device", at: node) }
        for (key, value) in mapping {
            guard let keyText = key.scalar?.string else { continue }
            guard let name = reader.expandVariables(in: keyText, at: key) else { continue }
            guard name != "gateway", !name.isEmpty, name.utf8.count <= 60 else {
                reader.report(
                    "a device cannot have the name '\(name)'; use 1 to 60 bytes, other than 'gateway'",
                    at: key
                )
                invalidDevices.append(name)
                continue
            }
            guard let device = readDevice(name, value, text: text, reader: &reader) else {
                invalidDevices.append(name)
                continue
            }
            let allNames = [name] + device.names
            if let other = allNames.first(where: { devicePlaces[$0] != nil }), let place = devicePlaces[other] {
                reader.report("there are two devices '\(other)'; the other is at \(place)", at: key)
                continue
            }
            for name in allNames { devicePlaces[name] = reader.place(of: key) }
            devices.append(device)
        }
    }

    private mutating func readDevice(
        _ name: String,
        _ node: Node,
        text: FileText,
        reader: inout SchemaReader
    ) -> ScenarioDevice? {
        guard case .object(var members)? = reader.read(node, as: schema["Device"], called: "'\(name)'") else {
            return nil
        }
        let count = members.removeValue(forKey: "count")?.integer
        let consent = members.removeValue(forKey: "consent")
        var descriptionFile = text.file
        if let file = members.removeValue(forKey: "file")?.string {
            descriptionFile = FileText.path(file, relativeTo: text.file)
            deviceFiles.insert(descriptionFile)
            // Paths in the scenario are relative to it, and paths in the device file are relative to that file.
            members.resolveAssociationFiles(besides: text.file)
            Self.embedPhotos(in: &members, besides: text.file, at: node, &reader)
            if let problem = ScenarioLoader.problem(ofFile: descriptionFile, named: file) {
                reader.report(problem, at: node["file"] ?? node)
                return nil
            }
            do throws(FileFindings) {
                let deviceFile = try DeviceFile(descriptionFile, schema)
                members = deviceFile.content.value.members.merging(members) { _, ownValue in ownValue }
            } catch {
                findings += error.findings
                return nil
            }
        }
        members["name"] = .string(count == nil ? name : "\(name) {n}")
        if members["apps"] == nil { members["apps"] = .array([]) }
        do {
            members.resolveAssociationFiles(besides: descriptionFile)
            Self.embedPhotos(in: &members, besides: descriptionFile, at: node, &reader)
            let description = try DocumentDecoder.decode(DeviceDescription.self, from: JSONValue.object(members).node)
            let errors = description.errors
            for error in errors {
                let part = node.node(for: error)
                reader.report(part == node ? "'\(name)': \(error)" : "\(error)", at: part)
            }
            guard errors.isEmpty else { return nil }
            let changes = try consent.map { try DocumentDecoder.decode([ConsentChange].self, from: $0.node) } ?? []
            let events = changes.compactMap(\.event)
            return ScenarioDevice(key: name, count: count, description: description, consent: events)
        } catch {
            reader.report(error, at: node)
            return nil
        }
    }

    /// Puts photographs in place of the names of their files in the contacts of a device.
    private static func embedPhotos(
        in members: inout [String: JSONValue],
        besides file: String,
        at node: Node,
        _ reader: inout SchemaReader
    ) {
        for (index, problem) in members.embedContactPhotos(besides: file) {
            let contacts = node["contacts"]?.sequence.map(Array.init) ?? []
            let contact = contacts.indices.contains(index) ? contacts[index] : node
            reader.report(problem, at: contact["photo"] ?? contact)
        }
    }
}

extension [String: JSONValue] {
    /// Makes the paths of association files absolute, because the agent reads them from another folder.
    fileprivate mutating func resolveAssociationFiles(besides file: String) {
        let key = "associatedDomainsDevelopment"
        guard case .object(let sources) = self[key] else { return }
        let resolved = sources.mapValues { source -> JSONValue in
            guard let text = source.string, !text.contains("://") else { return source }
            let path = FileText.path(text, relativeTo: file)
            return .string(URL(filePath: path).standardizedFileURL.path)
        }
        self[key] = .object(resolved)
    }
}
