internal import AssociationFetching
internal import DeviceFiles
internal import Foundation
internal import LocalFiles
internal import SchemaFiles
internal import UniversalLinks
internal import WaypostSchema
internal import Yams

/// Checks of the associated domains of a device file or an app file, which can be used although its links never open.
enum DomainCheck {
    /// Returns what is wrong with the entries of the apps, and with the files that replace those of domains.
    static func findings(in file: DeviceFile) -> [CheckedFile.Finding] {
        let (root, path) = (file.content.text.root, file.content.text.file)
        let apps = file.description.apps
        var findings = zip(apps, root["apps"]?.sequence.map(Array.init) ?? []).flatMap { app, node in
            Self.findings(in: app, at: node, of: path)
        }
        let entries = apps.filter { $0.signing != .distribution }.flatMap(\.associatedDomains).compactMap {
            try? AssociatedDomain($0)
        }
        let developmentDomains = entries.filter {
            $0.service == AssociatedDomain.appLinks && $0.modes.contains(.developer)
        }
        for (domain, replacement) in file.description.associatedDomainsDevelopment ?? [:] {
            let node = root["associatedDomainsDevelopment"]?[domain] ?? root
            let name = AssociatedDomain.canonicalName(of: domain)
            if !developmentDomains.contains(where: { $0.domain == name }) {
                let message = """
                    no app that is signed for development has an entry for '\(domain)' with ?mode=developer, so nothing \
                    reads this; \
                    add applinks:\(name)?mode=developer to an app
                    """
                findings.append(CheckedFile.Finding(message, at: node, of: path))
            }
            do throws(DevelopmentServerError) {
                let location = try AssociationLocation(replacement: replacement, relativeTo: path)
                guard let problem = problem(of: location) else { continue }
                findings.append(CheckedFile.Finding("\(replacement): \(problem)", at: node, of: path))
            } catch {
                // The agent does not start with it.
                findings.append(CheckedFile.Finding("\(error)", at: node, of: path, severity: .error))
            }
        }
        return findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// Returns what is wrong with the entries of an app.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - node: its description in the file.
    ///   - path: the file.
    /// - Returns: the findings.
    static func findings(in app: AppDescription, at node: Node, of path: String) -> [CheckedFile.Finding] {
        let nodes = node["associatedDomains"]?.sequence.map(Array.init) ?? []
        return zip(app.associatedDomains, nodes).compactMap { entry, node in
            do throws(AssociatedDomainError) {
                _ = try AssociatedDomain(entry)
                return nil
            } catch {
                return CheckedFile.Finding("\(error)", at: node, of: path)
            }
        }
    }

    /// Returns why the file that replaces that of a domain cannot be used; `nil` if it can, or is on a server.
    private static func problem(of location: AssociationLocation) -> String? {
        guard case .localFile(let path) = location else { return nil }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.bytes(at: path)
        } catch {
            return "it cannot be read: \(error)"
        }
        let error = AssociationCheck.findings(in: bytes).first { $0.severity == .error }
        return error.map { "line \($0.line): \($0.message)" }
    }
}

extension CheckedFile.Finding {
    /// Creates a finding from a problem of a file.
    init(_ finding: FileFinding, severity: FindingSeverity) {
        let place = finding.place
        self.init(
            file: place.file,
            line: place.line,
            column: place.column,
            severity: severity,
            message: finding.message
        )
    }

    /// Creates a finding about a part of a file.
    init(_ message: String, at node: Node, of path: String, severity: FindingSeverity = .warning) {
        self.init(
            file: path,
            line: node.mark?.line ?? 1,
            column: node.mark?.column ?? 1,
            severity: severity,
            message: message
        )
    }
}
