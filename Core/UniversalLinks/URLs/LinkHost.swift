/// A host or domain name, compared as such: without regard to case, and letters beyond ASCII as Punycode.
struct LinkHost: Hashable {
    let name: String

    init(_ name: String) {
        self.name = InternationalHost.ascii(Array(name.utf8)[...]) ?? name
    }
}
