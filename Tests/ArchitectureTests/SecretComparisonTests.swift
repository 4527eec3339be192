import Testing

/// A secret is compared by `ConstantTime.isEqual`, and by nothing else.
@Suite struct SecretComparisonTests {
    /// The types that contain nothing but a secret, or its digest.
    static let secretTypes = ["AdminToken", "BearerSecret", "ControlToken", "SecretDigest"]

    /// Comparisons of secrets that are texts.
    ///
    /// Both sides are from one connection, so the time reveals nothing to the client. A header is compared with the one
    /// before it, so that the report reads it only once, and a provider token with those that are verified.
    private static let exceptions = [
        "ProviderSender.swift: cachedHeader.authorization == authorization",
        "ProviderAuthentication.swift: verifiedTokens.firstIndex(where: { $0.string == string })",
    ]

    private static let files = SourceFile.product.filter { !$0.path.hasSuffix("TextBasics/ConstantTime.swift") }

    /// Returns the lines of a type's declaration, and of its extensions in all files.
    private static func declarations(of type: String) -> [[String]] {
        files.flatMap { file in
            file.lines.indices.compactMap { start -> [String]? in
                let line = file.lines[start]
                guard line.contains(" \(type):") || line.contains(" \(type) {"), line.first?.isLetter == true else {
                    return nil
                }
                let words = line.split(separator: " ")
                guard words.contains("struct") || words.contains("extension") else { return nil }
                let end = file.lines[start...].firstIndex { $0.hasPrefix("}") } ?? start
                return Array(file.lines[start...end])
            }
        }
    }

    @Test(arguments: secretTypes) func typeOfASecretHasNoComparisonButOneInConstantTime(_ type: String) throws {
        let declarations = Self.declarations(of: type)
        let heads = declarations.compactMap(\.first)
        #expect(heads.contains { $0.contains("struct ") }, "there is no type \(type)")
        let isComparable = heads.contains { $0.contains(#/Equatable|Hashable|StringIdentifier/#) }
        guard isComparable else { return }
        let body = declarations.flatMap(\.self)
        let comparison = try #require(
            body.firstIndex { $0.contains("static func == (left: Self, right: Self)") },
            "\(type) has the comparison of its text: write one with ConstantTime"
        )
        #expect(body[comparison + 1].contains("ConstantTime.isEqual("), "\(type) is not compared in constant time")
    }

    /// A name such as `secret` beside `==` is a secret that is compared as text, unless its type is one of the above.
    @Test(arguments: files) func textOfASecretIsNotComparedWithEqualitySigns(_ file: SourceFile) {
        let name = #"\w*(?:[Bb]earer|[Aa]dminToken|[Cc]ontrolToken|[Ss]ecret|[Aa]uthorization(?!Status))\w*"#
        let value = #"(?:\.(?:rawValue|string|utf8))?"#
        let left = try? Regex(#"\b"# + name + value + #"\s*(?:==|!=)(?!\s*(?:nil\b|\.))"#)
        let right = try? Regex(#"(?:==|!=)\s*(?:\w+[.?]+)*"# + name + value + #"\b(?!\()"#)
        guard let left, let right else {
            Issue.record("the expressions cannot be read")
            return
        }
        for (index, line) in file.lines.enumerated() where line.contains("==") || line.contains("!=") {
            guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
            guard line.contains(left) || line.contains(right) else { continue }
            let isExcepted = Self.exceptions.contains { Self.isException($0, line, of: file) }
            // These compare values of the types above.
            let isTyped = Self.typedComparisons.contains { file.path.hasSuffix($0) }
            #expect(isExcepted || isTyped, "\(file):\(index + 1): compare with ConstantTime.isEqual")
        }
    }

    private static func isException(_ exception: String, _ line: String, of file: SourceFile) -> Bool {
        let parts = exception.split(separator: ": ", maxSplits: 1)
        return file.path.hasSuffix(parts[0]) && line.contains(parts[1])
    }

    @Test(arguments: exceptions) func exceptionIsInItsFile(_ exception: String) {
        let count = Self.files.reduce(0) { count, file in
            count + file.lines.count { Self.isException(exception, $0, of: file) }
        }
        #expect(count == 1)
    }

    /// The files that compare values of a secret's type, whose `==` takes constant time.
    private static let typedComparisons = [
        "Apps/AppCredentials.swift", "Device/StoredCredential.swift", "Gateway/TokenRegistrations.swift",
    ]

    /// One rule has one implementation.
    @Test(arguments: files) func comparisonInConstantTimeIsNotWrittenAgain(_ file: SourceFile) {
        for text in ["$1.0 ^ $1.1", "left[index] ^ right[index]", "timingsafe_bcmp", "CRYPTO_memcmp"] {
            #expect(file.lineNumbers(containing: text).isEmpty, "\(file): use ConstantTime.isEqual")
        }
    }

    @Test func secretsAreComparedInTheseFilesOnly() {
        let places = Self.files.filter { !$0.lineNumbers(containing: "ConstantTime.").isEmpty }
        #expect(
            places.map { String($0.path.split(separator: "/").last ?? "") }.sorted() == [
                "BearerSecret.swift", "ControlToken.swift", "Registrations.swift",
            ]
        )
    }
}
