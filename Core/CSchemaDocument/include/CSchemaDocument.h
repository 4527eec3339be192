#pragma once
#include <stddef.h>

/// Returns the JSON Schema in UTF-8, and sets its number of bytes.
const unsigned char *_Nonnull waypost_schema_document(size_t *_Nonnull count);
