import DeviceModel
import Testing
import WaypostSchema

/// Errors in the associated domains of apps.
@Suite struct AssociatedDomainErrorTests {
    @Test(
        arguments: [
            nil, "", "com.example.clowntown", "ABCDE12345.com.example.balloons", "ABCDE12345com.example.clowntown",
            "ABCDE12345.com.example.Clowntown",
        ] as [ApplicationIdentifier?]
    )
    func appWithAssociatedDomainsNeedsAnApplicationIdentifier(_ identifier: ApplicationIdentifier?) throws {
        var app = AppDescription.example(domains: ["applinks:clowntown.example"])
        app.applicationIdentifier = identifier
        let bundle: BundleIdentifier = "com.example.clowntown"
        let error: DescriptionError =
            identifier.map { .unusableApplicationIdentifier(bundle, $0) } ?? .applicationIdentifierNeeded(bundle)
        #expect(throws: error) {
            try DeviceModel(apps: [app])
        }
        app.associatedDomains = []
        #expect(try DeviceModel(apps: [app]).description.apps == [app])
    }

    @Test(
        arguments: [
            ("com.example.a", "the applicationIdentifier has no prefix"),
            ("ABCDE12345.com.example.b", "the applicationIdentifier 'ABCDE12345.com.example.b' is not a prefix and"),
        ] as [(ApplicationIdentifier, String)]
    )
    func errorSaysWhatIsWrongWithTheIdentifier(_ identifier: ApplicationIdentifier, _ words: String) {
        let error = "\(DescriptionError.unusableApplicationIdentifier("com.example.a", identifier))"
        #expect(error.hasPrefix("app com.example.a: \(words)") && error.hasSuffix("ABCDE12345.com.example.a"))
    }

    @Test func errorGivesAnExample() {
        #expect(
            "\(DescriptionError.applicationIdentifierNeeded("com.example.a"))"
                == "app com.example.a: associatedDomains require an applicationIdentifier "
                + "such as ABCDE12345.com.example.a"
        )
    }

    @Test(arguments: [
        ("clowntown.example", "it has no service; write applinks:clowntown.example"),
        ("links:clowntown.example", "'links' is not a service"),
        ("applinks:https://clowntown.example", "it has a scheme"),
        ("applinks:clowntown.example/clowns", "it has a path"),
        ("applinks:clowntown.example:443", "it has a port"),
        ("applinks:www.*.example", "a wildcard can only be '*.' before"),
        ("applinks:", "'' is not a domain"),
        ("applinks:clowntown.example?mode=debug", "'debug' is not a mode"),
        ("applinks:clowntown.example?developer", "only ?mode= may follow"),
    ])
    func errorNamesTheUnusableEntry(_ entry: String, _ problem: String) throws {
        let device = try DeviceModel(domains: ["applinks:clowntown.example", entry])
        let error = try #require(device.associatedDomainErrors.first)
        #expect(device.associatedDomainErrors.count == 1)
        #expect(error.hasPrefix("app com.example.clowntown: the entry '\(entry)' cannot be used: "), "\(error)")
        #expect(error.contains(problem), "\(error)")
    }

    @Test func unusableEntryDoesNotAffectOthers() throws {
        var device = try DeviceModel(domains: ["applinks:clowntown.example/", "applinks:clowntown.example"])
        _ = device.fetch(ClownTown.file())
        #expect(device.reason() == .matched)
        let unusable = try DeviceModel(domains: ["applinks:clowntown.example/"])
        #expect(unusable.linkDecisions(on: ClownTown.url).map(\.entry) == ["applinks:clowntown.example/"])
        #expect(unusable.neededFiles.isEmpty)
    }

    @Test func errorsAreInOrderOfTheApps() throws {
        let apps = [
            AppDescription.example("b", domains: ["x", "y"]), AppDescription.example("a", domains: ["z"]),
            AppDescription.example("c", domains: ["applinks:c.example"]),
        ]
        let errors = try DeviceModel(apps: apps).associatedDomainErrors
        #expect(
            errors.map { String($0.prefix(19)) } == [
                "app a: the entry 'z", "app b: the entry 'x", "app b: the entry 'y",
            ]
        )
    }
}
