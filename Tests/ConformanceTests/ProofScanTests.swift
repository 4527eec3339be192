import Testing

/// The proofs that a scan finds in a source.
@Suite struct ProofScanTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var source: String

        /// The numbers with their tests.
        var proofs: [String]
    }

    @Test(arguments: [
        Case(
            testDescription: "a test of a suite",
            source: #"@Suite struct A { @Test(.proves("B1")) func b() {} @Test func c() {} }"#,
            proofs: ["B1 A/b"]
        ),
        Case(
            testDescription: "several numbers over several lines",
            source:
                "@Suite struct A {\n@Test(\n.proves(\n\"B1\",\n\"T2\"\n),\narguments: [1]\n)\n@MainActor\nmutating func b() {}\n}",
            proofs: ["B1 A/b", "T2 A/b"]
        ),
        Case(
            testDescription: "a suite",
            source: #"@Suite(.serialized, .proves("B1")) private struct A { @Test(.proves("B2")) func b() {} }"#,
            proofs: ["B1 A", "B2 A/b"]
        ),
        Case(
            testDescription: "an extension, a nested suite, and no suite",
            source: """
                extension A.B { @Test(.proves("B1")) func c() {} }
                struct A { struct Case {} enum D { @Test(.proves("B2")) func e() { if true {} } }
                class func f() {} @Test(.proves("B3")) func g() {} }
                @Test(.proves("B4")) func h() {}
                """,
            proofs: ["B1 A/B/c", "B2 A/D/e", "B3 A/g", "B4 h"]
        ),
        Case(
            testDescription: "a name in backticks",
            source: #"struct A { @Test(.proves("B1")) func `b is c`() {} }"#,
            proofs: ["B1 A/b is c"]
        ),
        Case(
            testDescription: "comments and literals",
            source: ##"""
                // @Test(.proves("B1")) func a() {}
                /* /* .proves("B2") */ .proves("B3") */
                let b = ".proves(\"B4\")" + #".proves("B5") \#(c("}")) { "# + "\(d("{", e: "\(f("}"))"))"
                struct G { @Test(.proves("B6"), arguments: ["}", "\""]) func h() {} }
                """##,
            proofs: ["B6 G/h"]
        ),
        Case(
            testDescription: "a multiline literal",
            source: "struct A { let b = \"\"\"\n  } \" .proves(\"B1\")\n  \"\"\"\n@Test(.proves(\"B2\")) func c() {} }",
            proofs: ["B2 A/c"]
        ),
        Case(
            testDescription: "a raw literal of a quotation mark",
            source: ##"struct A { let b = #"""#; @Test(.proves("B1")) func c() {} }"##,
            proofs: ["B1 A/c"]
        ),
        Case(
            testDescription: "the declaration of the trait",
            source: "extension Trait { static func proves(_ numbers: String...) -> Self { Self(\"B1\") } }",
            proofs: []
        ),
    ])
    func testsAreNamedWithTheirSuites(_ example: Case) {
        let proofs = ProofScan.proofs(in: example.source, at: "a.swift")
        #expect(proofs.map { "\($0.number) \($0.test)" } == example.proofs)
        #expect(proofs.allSatisfy { $0.path == "a.swift" })
    }

    @Test(arguments: [
        "\"", "\"\"\"\n", "#\"", "/*", "`", "\"\\(", "\"\\", "struct", "func", "}", "}}", "@Test(.proves(",
    ])
    func truncatedSourceIsScannedToItsEnd(_ end: String) {
        let source = #"struct A { @Test(.proves("B1")) func b() {} } "# + end
        #expect(ProofScan.proofs(in: source, at: "a.swift").map(\.number) == ["B1"])
    }
}
