#include "CFileSchemas.h"

// SwiftPM embeds a resource as an array literal, which the Swift compiler takes half a second for each KB to check.
static const unsigned char app[] = {
#embed "../../Agent/DeviceFiles/app-schema.json"
};

static const unsigned char contexts[] = {
#embed "../../CLI/AdminCommands/Settings/contexts-schema.json"
};

static const unsigned char demo[] = {
#embed "../../CLI/AdminCommands/Demo/demo-schema.json"
};

static const unsigned char fleet[] = {
#embed "../../Agent/Fleets/fleet-schema.json"
};

static const unsigned char gateway[] = {
#embed "../GatewaySettings/gateway-schema.json"
};

static const unsigned char scenario[] = {
#embed "../../Agent/Scenarios/scenario-schema.json"
};

static const unsigned char stack[] = {
#embed "../../CLI/AdminCommands/Up/stack-schema.json"
};

#define SCHEMA(name)                                            \
    const unsigned char *waypost_##name##_schema(size_t *count) \
    {                                                           \
        *count = sizeof name;                                   \
        return name;                                            \
    }

SCHEMA(app)
SCHEMA(contexts)
SCHEMA(demo)
SCHEMA(fleet)
SCHEMA(gateway)
SCHEMA(scenario)
SCHEMA(stack)
