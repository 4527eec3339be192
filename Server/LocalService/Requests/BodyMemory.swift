/// The memory for the bodies of requests that are read as a whole.
package enum BodyMemory {
    /// Reserves memory for the body of the request in this task, which has this many bytes so far, or throws.
    ///
    /// `JSONBody` calls it before it holds the bytes; `nil` if there is no limit on all bodies together.
    @TaskLocal package static var reserve: (@Sendable (_ byteCount: Int) throws -> Void)?
}
