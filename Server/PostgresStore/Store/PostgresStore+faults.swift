internal import Foundation
package import GatewayStore
internal import JSONScanning
package import WaypostSchema

/// Faults to inject into providers' requests.
extension PostgresStore {
    /// Adds a fault after the others.
    package func addFault(
        _ fault: SendFault,
        as id: FaultID,
        in namespace: Namespace
    ) async throws(StoreError) -> ScriptedFault? {
        try await write { transaction in
            let text = String(decoding: try JSONEncoder().encode(fault), as: UTF8.self)
            let insertion = try transaction.connection.run(
                """
                INSERT INTO fault (namespace, id, token, fault, remaining) SELECT $1, $2, $3, $4, $5
                WHERE (SELECT count(*) FROM fault WHERE namespace = $1) < $6
                """,
                [
                    .text(namespace.databaseText), .text(id.databaseText), .text(fault.token.databaseText),
                    .text(StoredString.encode(text)), .integer(fault.times), .integer(FaultScript.capacity),
                ]
            )
            transaction.enqueue(.faultsChanged)
            return insertion.changedCount > 0 ? ScriptedFault(id: id, fault: fault, left: fault.times) : nil
        }
    }

    /// Returns the faults of a namespace.
    package func faults(in namespace: Namespace) async throws(StoreError) -> [ScriptedFault] {
        try await readPool.withConnection { connection in
            try connection.run(
                "SELECT id, fault, remaining FROM fault WHERE namespace = $1 ORDER BY number",
                [.text(namespace.databaseText)]
            ).rows.map(ScriptedFault.init(row:))
        }
    }

    /// Removes a fault.
    package func removeFault(_ id: FaultID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await write { transaction in
            transaction.enqueue(.faultsChanged)
            return try transaction.connection.run(
                "DELETE FROM fault WHERE namespace = $1 AND id = $2",
                [.text(namespace.databaseText), .text(id.databaseText)]
            ).changedCount > 0
        }
    }

    /// Removes the faults of a namespace.
    package func removeFaults(in namespace: Namespace) async throws(StoreError) {
        try await write { transaction in
            transaction.enqueue(.faultsChanged)
            try transaction.connection.send("DELETE FROM fault WHERE namespace = $1", [.text(namespace.databaseText)])
        }
    }

    /// Returns the first fault for a device, and uses it up by one request.
    package func takeFault(for token: DeviceToken) async throws(StoreError) -> ScriptedFault? {
        try await write { transaction in
            let faults = try transaction.connection.run(
                "SELECT id, fault, remaining, number FROM fault WHERE token = $1 ORDER BY number LIMIT 1 FOR UPDATE",
                [.text(token.databaseText)]
            )
            guard let row = faults.rows.first else { return nil }
            var fault = try ScriptedFault(row: row)
            guard let remainingUses = fault.left else { return fault }
            fault.left = remainingUses - 1
            let sql =
                remainingUses > 1
                ? "UPDATE fault SET remaining = remaining - 1 WHERE number = $1" : "DELETE FROM fault WHERE number = $1"
            try transaction.connection.send(sql, [.integer(row.integer(3))])
            return fault
        }
    }

    /// Returns the devices that have faults.
    package func tokensWithFaults() async throws(StoreError) -> Set<DeviceToken> {
        try await readPool.withConnection { connection in
            Set(
                try connection.run("SELECT DISTINCT token FROM fault").rows.map {
                    DeviceToken(databaseText: $0.text(0))
                }
            )
        }
    }
}

extension ScriptedFault {
    fileprivate init(row: PostgresRow) throws {
        self.init(
            id: FaultID(databaseText: row.text(0)),
            fault: try DocumentDecoder.decode(SendFault.self, from: StoredString.decode(row.text(1)).utf8),
            left: row.optionalInteger(2)
        )
    }
}
