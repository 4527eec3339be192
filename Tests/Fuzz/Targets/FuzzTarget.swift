/// A part of the product that the fuzzer calls with bytes that it invents.
package struct FuzzTarget: Sendable {
    /// The name, which is that of the target's corpus and of its dictionary.
    package let name: String

    /// The name of the fuzzed code, and of the opinion that it is compared with, as one line.
    package let summary: String

    /// Calls the fuzzed code once.
    ///
    /// A broken promise ends the program, as a failed precondition and a finding of the address sanitizer do.
    package let run: @Sendable (UnsafeBufferPointer<UInt8>) -> Void

    package init(name: String, summary: String, run: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Void) {
        self.name = name
        self.summary = summary
        self.run = run
    }
}

extension FuzzTarget {
    /// All targets, in the order in which `make fuzz` runs them.
    package static let all = core + server + agent + programs

    /// Returns the target with `name`.
    package static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }
}
