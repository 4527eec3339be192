internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// The devices of the agent: list, add, copy, reset and remove.
extension ControlAPI {
    func addDeviceRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices") { request, context in
            let wait = try ListWait(request, context)
            let isConnected = try request.flag("connected")
            return try JSONResponse.make(
                try await wait.list(
                    after: agentDevices.changes,
                    sources,
                    read: {
                        agentDevices.devices.map(\.store.status).filter { status in
                            isConnected == nil || status.isConnected == isConnected
                        }
                    },
                    count: \.count
                )
            )
        }
        router.post("v1/devices") { request, _ in
            let devices = try Self.devices(of: try await request.decoded(maximumSize: Self.maximumDescriptionSize))
            let createdDevices = try await agentDevices.add(named: devices.map(\.description.name)) {
                do {
                    return try await factory.create(devices)
                } catch let error as DescriptionError {
                    throw RequestError.malformedBody("'device': \(error)")
                }
            }
            return try JSONResponse.make(createdDevices.map(\.store.status), status: .created)
        }
        router.get("v1/devices/:name") { _, context in
            try JSONResponse.make(try device(context).store.model.description)
        }
        router.delete("v1/devices/:name") { _, context in
            try await agentDevices.remove(named: try context.pathComponent("name"))
            return Response(status: .noContent)
        }
        router.post("v1/devices/:name/rotation") { _, context in
            let device = try device(context)
            do {
                try await device.session.rotateToken()
            } catch let error as CallError {
                throw AgentError.gateway("\(error)")
            }
            return try JSONResponse.make(device.store.status)
        }
        router.post("v1/devices/:name/secretRotation") { _, context in
            let device = try device(context)
            do {
                try await device.session.rotateSecret()
            } catch let error as CallError {
                throw AgentError.gateway("\(error)")
            }
            return try JSONResponse.make(device.store.status)
        }
        router.post("v1/devices/:name/restoration") { request, context in
            let device = try device(context)
            let backup: DeviceDescription = try await request.decoded(maximumSize: Self.maximumDescriptionSize)
            do {
                return try JSONResponse.make(try await device.restoreBackup(backup))
            } catch let error as CallError {
                throw AgentError.gateway("\(error)")
            }
        }
        addSnapshotRoutes(to: router)
    }

    private func addSnapshotRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/snapshots") { request, context in
            try await list(request, context, read: \.snapshotNames)
        }
        router.post("v1/devices/:name/snapshots") { request, context in
            let device = try device(context)
            let snapshot: SnapshotRequest = try await request.decoded()
            try validate(.system(.snapshotTaken(snapshot.name)), for: device.store)
            _ = try await device.applyOrThrow(.system(.snapshotTaken(snapshot.name)))
            return try JSONResponse.make(snapshot, status: .created)
        }
        router.post("v1/devices/:name/reset") { request, context in
            let device = try device(context)
            let reset: DeviceReset = try await request.decoded()
            _ = try await device.applyOrThrow(.system(.deviceRestored(snapshot: reset.snapshot)))
            return try JSONResponse.make(device.store.model.description)
        }
        router.post("v1/devices/:name/fork") { request, context in
            let device = try device(context)
            let fork: DeviceFork = try await request.decoded()
            try Self.validateName(fork.name, at: "name")
            let copies = try await agentDevices.add(named: [fork.name]) { [try await factory.fork(device, as: fork)] }
            return try JSONResponse.make(copies.first?.store.status, status: .created)
        }
    }

    /// The maximum number of devices that one request adds.
    private static let maximumDevices = 10_000

    /// The placeholder in a device's name that stands for its number.
    private static let numberPlaceholder = "{n}"

    /// Returns the devices that a request adds.
    ///
    /// - Throws: `RequestError` that names the field.
    private static func devices(of creation: DeviceCreation) throws(RequestError) -> [ConfiguredDevice] {
        let (device, count) = (creation.device, creation.count ?? 1)
        guard (1...maximumDevices).contains(count) else {
            throw .malformedBody("'count': \(count) is not a number from 1 to \(maximumDevices)")
        }
        guard count == 1 || device.name.contains(numberPlaceholder) else {
            throw .malformedBody(
                "'device.name': \(count) devices need different names; write \(numberPlaceholder) for the number"
            )
        }
        let configured: ConfiguredDevice
        do throws(DevelopmentAssociationError) {
            configured = try ConfiguredDevice(device, relativeTo: "")
        } catch {
            throw .malformedBody("'device.\(error.key)': \(error.reason)")
        }
        var devices: [ConfiguredDevice] = []
        for index in 1...count {
            var numberedDevice = configured
            numberedDevice.description.name = device.name.replacingOccurrences(of: numberPlaceholder, with: "\(index)")
            try validateName(numberedDevice.description.name, at: "device.name")
            devices.append(numberedDevice)
        }
        return devices
    }

    /// The maximum length of a device's name, in bytes of UTF-8.
    ///
    /// The percent-encoded name is also the name of a folder.
    private static let maximumNameLength = 64

    private static func validateName(_ name: String, at key: String) throws(RequestError) {
        guard (1...maximumNameLength).contains(name.utf8.count) else {
            throw .malformedBody("'\(key)': a device needs a name of 1 to \(maximumNameLength) bytes")
        }
    }
}
