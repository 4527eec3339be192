/// A scripted fault that waits for requests.
public struct ScriptedFault: Codable, Sendable, Equatable {
    /// The fault's identifier.
    public var id: FaultID

    /// The fault.
    public var fault: SendFault

    /// The number of requests that still get it; absent for all.
    public var left: Int?

    /// Creates the value from its parts.
    public init(id: FaultID, fault: SendFault, left: Int? = nil) {
        self.id = id
        self.fault = fault
        self.left = left
    }
}
