internal import CFileSchemas
internal import DeviceFiles
internal import Foundation
package import SchemaFiles
package import WaypostSchema
package import Yams

extension FileSchema {
    /// Returns the schema of behavior files.
    ///
    /// - Throws: `JSONError` if it is damaged.
    package static func fleet() throws -> Self {
        try Self(embedded: waypost_fleet_schema)
    }
}

extension FleetBehavior {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - file: the path of a YAML or JSON file.
    ///   - schema: the schema of behavior files.
    /// - Throws: `FileFindings` with all problems and their places.
    package init(file: String, _ schema: FileSchema) throws(FileFindings) {
        let kind = FileText.Kind(hint: "the behavior of a fleet is an object with 'name' and 'groups'")
        var content = try SchemaFile(file, schema, as: kind, called: "the behavior")
        self.init(content.value, at: content.text.root, &content.reader)
        try content.throwProblems()
    }

    /// Creates the behavior from a value that the schema accepts, and checks its device file and the shares of its
    /// groups.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - node: its place in the file of the reader.
    ///   - reader: records problems.
    package init(_ value: JSONValue, at node: Node, _ reader: inout SchemaReader) {
        self.init(value, file: reader.file)
        if let path = value["device"]?.string {
            let (file, schema) = (FileText.path(path, relativeTo: reader.file), reader.schema)
            reader.report(
                FileFindings.findings { () throws(FileFindings) in
                    device = try DeviceFile(file, schema).description
                }
            )
        }
        let sum = groups.reduce(0) { $0 + $1.share }
        guard abs(sum - 1) < 1e-9, groups.allSatisfy({ $0.share > 0 }) else {
            reader.report(
                "the shares of the groups are \(QuantityText.text(ofShare: sum)) together; they must be 100%, and none can be 0%",
                at: node["groups"] ?? node
            )
            return
        }
    }

    /// Creates the behavior from a value that the schema accepts.
    init(_ value: JSONValue, file: String) {
        name = value["name"]?.string ?? (file as NSString).lastPathComponent
        maximumNotifications = value["keep"]?.integer ?? maximumNotifications
        let elements = value["groups"]?.elements ?? []
        if !elements.isEmpty {
            let shares = elements.map { $0["share"]?.share }
            let rest = max(0, 1 - shares.reduce(0) { $0 + ($1 ?? 0) })
            let groupsWithoutShare = max(1, shares.count { $0 == nil })
            groups = zip(elements, shares).map { FleetGroup($0, share: $1 ?? rest / Double(groupsWithoutShare)) }
        }
        storms = (value["storms"]?.elements ?? []).map { storm in
            ReconnectStorm(
                at: storm["at"]?.microseconds ?? 0,
                share: storm["share"]?.share ?? 1,
                spread: storm["spread"]?.microseconds ?? 0
            )
        }
    }
}

extension FleetGroup {
    fileprivate init(_ value: JSONValue, share: Double) {
        name = value["name"]?.string ?? ""
        self.share = share
        if let acknowledge = value["acknowledge"] {
            minimumAcknowledgementDelay = acknowledge["after"]?.microseconds ?? 0
            maximumAcknowledgementDelay = max(minimumAcknowledgementDelay, acknowledge["up-to"]?.microseconds ?? 0)
            acknowledgementLoss = acknowledge["lose"]?.share ?? 0
        }
        if let crash = value["crash"] {
            crashProbability = crash["share"]?.share ?? 0
            restartDelay = crash["for"]?.microseconds ?? restartDelay
        }
        offlinePeriods = value["offline"].map(Period.init)
        openProbability = value["opens"]?["share"]?.share ?? 0
        openDelay = value["opens"]?["after"]?.microseconds ?? 0
        isAppRunning = value["app"]?.string != "not-running"
        if let part = value["link"] {
            link.delay = part["delay"]?.microseconds ?? 0
            link.loss = part["loss"]?.share ?? 0
            link.bandwidth = part["bandwidth"]?.string.flatMap(QuantityText.bytes)
            link.silentPeriods = part["half-open"].map(Period.init)
        }
    }
}

extension FleetGroup.Period {
    fileprivate init(_ value: JSONValue) {
        interval = max(1, value["every"]?.microseconds ?? 0)
        length = value["for"]?.microseconds ?? 0
    }
}

extension JSONValue {
    fileprivate var microseconds: Int? {
        string.flatMap(DurationText.milliseconds).map { $0 * 1_000 }
    }

    fileprivate var share: Double? {
        string.flatMap(QuantityText.share)
    }
}
