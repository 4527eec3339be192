import WaypostSchema

@testable import DeviceAgent

extension FuzzTarget {
    /// The bytes of `credential.json`, of `apps.json`, and of `described.json`.
    static let deviceFolders = FuzzTarget(
        name: "device-folders",
        summary: "credentials and descriptions in the folder of a device; what is read is the same when it is written"
    ) { bytes in
        var input = SeparatedInput(bytes)
        let scratch = ScratchMemory()
        for name in ["credential.json", "apps.json", "described.json"] { _ = scratch.write(input.next(), to: name) }
        guard let folder = try? DeviceFolder.open(scratch.path) else { endUnprepared("a folder cannot be opened") }
        if let credential = folder.credential {
            guard (try? folder.save(credential)) != nil else { endUnprepared("a folder cannot be written") }
            promise(folder.credential == credential, "a credential is the same when it is read", found: credential)
        }
        let appCredentials = folder.appCredentials
        folder.save(appCredentials)
        promise(folder.appCredentials == appCredentials, "apps have their credentials", found: appCredentials)
        // JSON has several spellings of a number; the first reading settles for one.
        guard let first = folder.lastDescription else { return }
        folder.save(first)
        guard let second = folder.lastDescription else { return promise(false, "a description is read", found: first) }
        folder.save(second)
        promise(folder.lastDescription == second, "a description is the same when it is read", found: second)
    }
}
