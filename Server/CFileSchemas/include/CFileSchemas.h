#pragma once
#include <stddef.h>

// Each function returns the JSON Schema of a kind of file that people write, in UTF-8, and sets its number of bytes.

/// The schema of app files.
const unsigned char *_Nonnull waypost_app_schema(size_t *_Nonnull count);

/// The schema of the file in which a user keeps contexts.
const unsigned char *_Nonnull waypost_contexts_schema(size_t *_Nonnull count);

/// The schema of the lists of a demo.
const unsigned char *_Nonnull waypost_demo_schema(size_t *_Nonnull count);

/// The schema of the behavior files of fleets.
const unsigned char *_Nonnull waypost_fleet_schema(size_t *_Nonnull count);

/// The schema of the gateway's settings file.
const unsigned char *_Nonnull waypost_gateway_schema(size_t *_Nonnull count);

/// The schema of scenario files.
const unsigned char *_Nonnull waypost_scenario_schema(size_t *_Nonnull count);

/// The schema of stack files.
const unsigned char *_Nonnull waypost_stack_schema(size_t *_Nonnull count);
