#pragma once
#include <stddef.h>

/// Returns the JSON Schema of scenario files in UTF-8, and sets its number of bytes.
const unsigned char *_Nonnull waypost_scenario_schema(size_t *_Nonnull count);

/// Returns the JSON Schema of the behavior files of fleets in UTF-8, and sets its number of bytes.
const unsigned char *_Nonnull waypost_fleet_schema(size_t *_Nonnull count);
