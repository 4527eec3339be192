package import WaypostSchema

extension GatewayClient {
    /// Has something go wrong with what providers send to a device.
    package func addFault(_ fault: SendFault, in namespace: Namespace? = nil) async throws(CallError) -> ScriptedFault {
        try await service.post("/v1/faults", fault, headers: NamespaceHeader.fields(namespace))
    }

    /// Returns the faults that wait for sends, in the order in which they came.
    package func faults(in namespace: Namespace? = nil) async throws(CallError) -> [ScriptedFault] {
        try await service.get("/v1/faults", headers: NamespaceHeader.fields(namespace))
    }

    /// Removes a fault; `nil` for all of the namespace.
    package func removeFault(_ id: FaultID?, in namespace: Namespace? = nil) async throws(CallError) {
        let path = id.map { "/" + PathText.escaped($0.rawValue) } ?? ""
        try await service.delete("/v1/faults" + path, headers: NamespaceHeader.fields(namespace))
    }
}
