extension FuzzTarget {
    /// A format, a byte 0xFF and a value.
    static let predicates = FuzzTarget(
        name: "predicates",
        summary: "formats of predicates; the canonical form, the reason and the package agree with the format"
    ) { bytes in
        PredicatePromises(FuzzQuestion(bytes)).check()
    }
}
