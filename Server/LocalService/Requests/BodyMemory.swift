/// The memory for the body of a request that is read as a whole.
package struct BodyMemory: Sendable {
    /// The memory of the request in this task; `nil` if there is no limit on all bodies together.
    ///
    /// It is not the function itself: an optimized program stops when it sets a local value of a task to a function
    /// (Swift 6.3).
    @TaskLocal package static var current: BodyMemory?

    /// Reserves memory for a body that has this many bytes so far, or throws; called before the bytes are held.
    package let reserve: @Sendable (_ byteCount: Int) throws -> Void

    /// Creates the value.
    package init(reserve: @escaping @Sendable (_ byteCount: Int) throws -> Void) {
        self.reserve = reserve
    }
}
