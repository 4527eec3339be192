import Foundation
import Testing
import WaypostTestSupport

/// Compares docs/dependencies.md with the manifest, with the packages that were resolved, and with the Debian package.
@Suite struct DependencyTests {
    /// A row of a table.
    private struct Row {
        let cells: [String]

        /// The address of the link in the first cell, without its end ".git".
        var address: String? {
            cells.first?.firstMatch(of: #/\]\((https://[^)]+)\)/#).map { String($0.1) }
        }

        /// The names in backquotes in a cell.
        func names(inCell index: Int) -> [String] {
            guard cells.indices.contains(index) else { return [] }
            return cells[index].matches(of: #/`([^`]+)`/#).map { String($0.1) }
        }
    }

    private static let namedPackages = "Swift packages that Waypost names"
    private static let furtherPackages = "Swift packages that these need"
    private static let libraries = "Libraries of the system"
    private static let debianPackages = "Debian packages that a released program needs"

    private static func text(of path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    private static func rows(of section: String) throws -> [Row] {
        var current = ""
        return try text(of: "docs/dependencies.md").split(separator: "\n").compactMap { line -> Row? in
            if line.hasPrefix("## ") { current = String(line.dropFirst(3)) }
            let isHead = line.hasPrefix("| package") || line.hasPrefix("| module")
            guard current == section, line.hasPrefix("| "), !isHead else { return nil }
            return Row(cells: line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) })
        }
    }

    /// Returns a text for each package: its address and its version.
    private static func texts(of versions: [(String, String)]) -> Set<String> {
        Set(versions.map { "\($0.0.lowercased()) \($0.1)" })
    }

    @Test func everyPackageOfTheManifestHasARowWithItsVersion() throws {
        let manifest = try Self.text(of: "Package.swift")
        let packages = manifest.matches(of: #/\.package\(\s*url: "([^"]+)",\s*from: "([^"]+)"/#)
        #expect(packages.count == manifest.matches(of: #/\.package\(\s*url:/#).count)
        #expect(packages.count > 10)
        let rows = try Self.rows(of: Self.namedPackages)
        let required = Self.texts(of: packages.map { (String($0.1), String($0.2)) })
        let stated = Self.texts(of: rows.map { ($0.address ?? "", $0.cells[1]) })
        #expect(required.subtracting(stated).isEmpty, "a row is missing, or has another version")
        #expect(stated.subtracting(required).isEmpty, "a row has no dependency in Package.swift")
        #expect(stated.count == rows.count)
    }

    /// SwiftPM writes the versions at the first build.
    @Test func everyResolvedPackageHasARow() throws {
        guard let text = try? Self.text(of: "Package.resolved") else { return }
        let pins = text.matches(of: #/"location" : "([^"]+)"[^}]*"version" : "([^"]+)"/#)
        #expect(pins.count == text.matches(of: #/"location" :/#).count)
        // A mirror has another host, but the same last components.
        func name(_ address: Substring) -> String {
            let last = address.split(separator: "/").last ?? ""
            return (last.hasSuffix(".git") ? last.dropLast(4) : last).lowercased()
        }
        var versions: [String: String] = [:]
        for row in try Self.rows(of: Self.namedPackages) + Self.rows(of: Self.furtherPackages) {
            let address = try #require(row.address, "\(row.cells)")
            versions[name(Substring(address))] = row.cells[1]
        }
        #expect(Set(versions.keys) == Set(pins.map { name($0.1) }))
        for pin in pins {
            let stated = try #require(versions[name(pin.1)])
            let isAtLeast = stated.compare(String(pin.2), options: .numeric) != .orderedDescending
            #expect(isAtLeast, "\(pin.1) is older than the page says")
        }
    }

    @Test func everyLibraryOfTheSystemHasARow() throws {
        let manifest = try Self.text(of: "Package.swift")
        let modules = manifest.matches(of: #/\.systemLibrary\(\s*name: "([^"]+)"/#).map { String($0.1) }
        let packages = manifest.matches(of: #/\.apt\(\["([^"]+)"\]\)/#).map { String($0.1) }
        let rows = try Self.rows(of: Self.libraries)
        // libpq is loaded by a module of C, and has no target of its own.
        #expect(Set(rows.flatMap { $0.names(inCell: 0) }) == Set(modules + ["CPostgres"]))
        #expect(Set(rows.flatMap { $0.names(inCell: 1) }) == Set(packages + ["libpq-dev", "libc6-dev"]))
        let build = try Self.text(of: "Makefile").firstMatch(of: #/\nBUILD_PACKAGES := (.+)\n/#)
        let built = try #require(build).1.split(separator: " ").map(String.init)
        #expect(Set(built) == Set(packages + ["libpq-dev"]))
        // The script links these statically, and copies their licenses.
        let script = try Self.text(of: "CLI/Packaging/build.sh")
        let licenses = try Self.text(of: "CLI/Packaging/install.sh")
        let staticRows = rows.filter { $0.cells[4].hasPrefix("statically") }
        for row in staticRows {
            let package = try #require(row.names(inCell: 1).first)
            #expect(script.contains("\(package):"), "\(package) is not linked statically")
            #expect(licenses.contains(" \(package)"), "the license of \(package) is not copied")
        }
        #expect(script.matches(of: #/[a-z0-9]+-dev:[a-z0-9]+/#).count == staticRows.count)
    }

    /// `dpkg-shlibdeps` finds the libraries, so the control file of the sources does not name them.
    @Test func everyDebianPackageThatIsNamedHasARow() throws {
        let control = try Self.text(of: "CLI/Packaging/debian/control")
        let lists = control.matches(of: #/(?m)^(?:Depends|Recommends|Suggests): (.+)$/#).map { $0.1 }
        let named = lists.flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.hasPrefix("@") }
        let libraries = ["libc6", "libgcc-s1", "libstdc++6", "zlib1g"]
        let rows = try Self.rows(of: Self.debianPackages)
        #expect(Set(rows.flatMap { $0.names(inCell: 0) }) == Set(named + libraries))
    }

    @Test func everyRowHasALicenseAndEveryPackageItsReason() throws {
        for row in try Self.rows(of: Self.namedPackages) {
            let record = row.cells.last?.firstMatch(of: #/\((decisions/[^)]+)\)/#)
            let path = try #require(record, "\(row.cells) has no decision").1
            #expect(FileManager.default.fileExists(atPath: Repository.root.appending(path: "docs/\(path)").path))
        }
        let licensed = try Self.rows(of: Self.namedPackages) + Self.rows(of: Self.furtherPackages)
        for row in licensed {
            #expect(row.cells.count == 4 && row.cells[2].contains(#/Apache-2\.0|MIT/#), "\(row.cells)")
        }
        #expect(licensed.count > 20)
    }
}
