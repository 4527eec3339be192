import Foundation
import Testing

@Suite struct HabitTests {
    /// Names that the pure core must not use: clocks, randomness, waiting, locks and tasks.
    static let impureNames = [
        "Date()", "Date.now", "ContinuousClock", "SuspendingClock", "DispatchTime", "clock_gettime", "UUID()",
        ".random(", " Task {", " Task.", "await ", "async ", "Mutex", "NSLock",
        "FileManager", "print(",
    ]

    @Test(arguments: SourceFile.core) func coreIsPure(_ file: SourceFile) {
        for text in Self.impureNames {
            #expect(file.lineNumbers(containing: text).isEmpty, "\(file): \(text)")
        }
    }

    static let forbiddenForms = [
        "try!", " as!", "fatalError(", "nonisolated(unsafe)", " Task {", "Task.detached",
    ]

    @Test(arguments: SourceFile.product) func forbiddenFormsAreAbsent(_ file: SourceFile) {
        for text in Self.forbiddenForms {
            #expect(file.lineNumbers(containing: text).isEmpty, "\(file): \(text)")
        }
    }

    @Test(arguments: SourceFile.product) func uncheckedSendableHasAReason(_ file: SourceFile) {
        for number in file.lineNumbers(containing: "@unchecked Sendable") {
            let comment = file.lines[..<(number - 1)].reversed().prefix { $0.contains("///") }
            #expect(comment.contains { $0.contains("`Sendable` because") }, "\(file):\(number)")
        }
    }

    /// Foundation's decoder has no configurable depth limit, and is slow for deep values of any type.
    @Test(arguments: SourceFile.product) func jsonIsReadByDocumentDecoder(_ file: SourceFile) {
        #expect(file.lineNumbers(containing: "JSONDecoder()").isEmpty, "\(file): use DocumentDecoder")
    }

    /// YAML of Yams' own types reads texts as numbers, and has no limit for aliases.
    @Test(arguments: SourceFile.product) func yamlIsReadByFileText(_ file: SourceFile) {
        for text in ["YAMLDecoder(", "Yams.load", "Yams.compose", "Parser(yaml"] {
            guard !file.path.hasSuffix("SchemaFiles/FileText.swift") else { continue }
            #expect(file.lineNumbers(containing: text).isEmpty, "\(file): use FileText")
        }
    }

    /// Only the core and the library for tests are products that other packages use.
    @Test(arguments: SourceFile.product.filter { $0.layer != "Core" && $0.module != "WaypostTesting" })
    func nothingAboveCoreIsPublic(_ file: SourceFile) {
        let isPublic = #/^\s*(@\S+\s+)*public(\(set\))?\s/#
        #expect(!file.lines.contains { $0.firstMatch(of: isPublic) != nil })
    }

    @Test(arguments: SourceFile.product) func everyPackageAndPublicDeclarationIsDocumented(_ file: SourceFile) {
        for (index, line) in file.lines.enumerated() {
            let words = line.split(separator: " ").prefix(2)
            guard let access = words.first, access == "package" || access == "public", words.last != "import" else {
                continue
            }
            // Attributes may be between the documentation and the declaration; static configuration of a command
            // documents itself.
            let before = file.lines[..<index].last { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("@") } ?? ""
            let isDocumented = before.trimmingCharacters(in: .whitespaces).hasPrefix("///")
            #expect(isDocumented || line.contains("CommandConfiguration"), "\(file):\(index + 1)")
        }
    }

    /// A loop without a pause takes the processor from what it waits for; `waitUntil` has one.
    @Test(arguments: SourceFile.tests) func testsDoNotWaitInALoopOfTheirOwn(_ file: SourceFile) {
        guard file.module != "ArchitectureTests", !file.module.hasSuffix("Benchmarks") else { return }
        for (index, line) in file.lines.enumerated() where line.contains("while ") {
            let rest = ([line] + file.lines[(index + 1)...].prefix(1)).joined()
            #expect(!rest.contains("Task.yield()"), "\(file):\(index + 1): use waitUntil")
            #expect(!rest.contains("Task.sleep("), "\(file):\(index + 1): use waitUntil")
        }
    }

    /// A time limit ends a test that hangs.
    ///
    /// On a busy machine, a test that takes a second alone may take minutes.
    @Test(arguments: SourceFile.tests) func timeLimitEndsNoSlowTest(_ file: SourceFile) throws {
        for limit in file.lines.joined(separator: "\n").matches(of: /\.timeLimit\(\.minutes\((\d+)/) {
            #expect(try #require(Int(limit.1)) >= 5, "\(file)")
        }
    }

    @Test(arguments: SourceFile.product) func fileNameSaysWhatTheFileIsAbout(_ file: SourceFile) {
        for name in ["Utils", "Utilities", "Helper", "Manager", "Common", "Misc"] {
            #expect(!file.path.contains(name))
        }
    }

    /// A reader who searches for a type finds one.
    @Test func noTypeIsDeclaredTwice() {
        let places = Dictionary(grouping: SourceFile.product.flatMap { file in file.types.map { ($0, file) } }, by: \.0)
        let duplicates = places.filter { $0.value.count > 1 }
        for (type, files) in duplicates.sorted(by: { $0.key < $1.key }) {
            Issue.record("\(type) is declared in \(files.map { "\($0.1)" }.joined(separator: " and "))")
        }
    }

    @Test(arguments: SourceFile.core.filter { $0.module == "WaypostSchema" })
    func typeOfTheSchemaStandsInTheFileOfItsName(_ file: SourceFile) {
        let name = file.path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
        let declaresPublicType = file.lines.contains { $0.hasPrefix("public ") && !$0.hasPrefix("public import") }
        #expect(!declaresPublicType || file.types.filter { $0 == name }.count == 1)
    }

    /// One function makes text from elsewhere safe: `String.safe(for:)`.
    @Test func charactersThatControlTextAreKnownInOnePlace() {
        // These modules draw and measure text, and recognize links.
        let exceptions = ["TextBasics", "Attribution", "Highlights"]
        for file in SourceFile.product where !exceptions.contains(file.module) {
            for name in [".lineSeparator", ".isBidiControl", "\\u{202E}", "\\u{202A}", ".privateUse"] {
                #expect(file.lineNumbers(containing: name).isEmpty, "\(file): use safe(for:)")
            }
        }
    }
}
