import UniversalLinks
import WaypostSchema

/// An app and a domain with a valid association.
///
/// Tests change one part of it.
struct AssociationSetUp {
    static let moment = Timestamp(milliseconds: 1_700_000_000_000)
    static let source = "https://clowntown.example/.well-known/apple-app-site-association"
    static let file = """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["ABCDE12345.com.example.clowntown"],
                "components": [
                  { "/": "/backstage/*", "exclude": true },
                  { "/": "/tents/*" }
                ]
              }
            ]
          }
        }
        """

    var app = Clowntown.app
    var entries = ["applinks:clowntown.example"]
    var activeModes: Set<AssociatedDomain.Mode> = []
    var url = "https://clowntown.example/tents/red"

    /// The results of the attempts to fetch the file, or `nil` if the domain has no record.
    var attempts: [Result<[UInt8], AssociationFailure>]? = [.success(Array(file.utf8))]

    /// Returns a copy of the set-up with one part changed.
    func changed<Value>(_ part: WritableKeyPath<AssociationSetUp, Value>, to value: Value) -> AssociationSetUp {
        var changed = self
        changed[keyPath: part] = value
        return changed
    }

    var records: AssociationRecords {
        var records = AssociationRecords()
        guard let attempts else { return records }
        var record = AssociationRecord(domain: Clowntown.domain, source: Self.source)
        for (index, attempt) in attempts.enumerated() {
            record.recordFetch(attempt, from: Self.source, at: Timestamp(milliseconds: Self.moment.rawValue + index))
        }
        for isDevelopment in [false, true] {
            records[AssociationRequest(domain: Clowntown.domain, isDevelopment: isDevelopment)] = record
        }
        return records
    }

    func decision(tracing: Bool = false) -> LinkDecision {
        LinkAssociation(app: app, entries: entries, activeModes: activeModes)
            .decision(on: url, records: records, tracing: tracing)
    }
}
