#ifndef CKSWEEP_SIMDJSON_H
#define CKSWEEP_SIMDJSON_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One token of a JSON text, in the order of the text.
 *
 *  kind            length                     payload
 *  '{' '['         members or elements        index of the matching '}' or ']'
 *  '}' ']'         0                          0
 *  'k' 's'         bytes of the key or text   where it begins in `text`
 *  'i'             0                          the bits of an int64_t
 *  'd'             0                          the bits of a double
 *  't' 'f' 'n'     0                          0
 */
typedef struct {
    uint32_t kind;
    uint32_t length;
    uint64_t payload;
} cksweep_json_token;

/* The memory of a large text's tokens. */
typedef struct cksweep_json_owner cksweep_json_owner;

/* What a parse leaves: with an owner, until that is freed; without, on the calling thread until its
 * next parse.
 *
 * `repeated_key` is the token of a key that stands twice in its object; 0 when there is none. */
typedef struct {
    const cksweep_json_token *tokens;
    size_t token_count;
    const uint8_t *text;
    size_t text_count;
    size_t repeated_key;
    cksweep_json_owner *owner;
} cksweep_json_result;

enum {
    CKSWEEP_JSON_OK = 0,
    CKSWEEP_JSON_MALFORMED = 1,
    CKSWEEP_JSON_TOO_DEEP = 2,
    CKSWEEP_JSON_NO_MEMORY = 3,
    CKSWEEP_JSON_TOO_MANY = 4,
};

/* Parses `length` bytes, which need no padding: the parser works on its own padded copy.
 *
 * A text with more than `marks_max` brackets, commas and colons is refused before anything is
 * made of it. */
int cksweep_json_parse(
    const uint8_t *bytes, size_t length, size_t depth_max, size_t marks_max,
    cksweep_json_result *result);

/* Frees what a parse left. */
void cksweep_json_free(cksweep_json_owner *owner);

/* How many bytes at the beginning of a text stand in a JSON string as they are. */
size_t cksweep_json_plain_length(const uint8_t *text, size_t length);

/* Writes the shortest text that reads back as `value` into 32 bytes; returns its length. */
size_t cksweep_json_write_double(double value, uint8_t *out);

#ifdef __cplusplus
}
#endif
#endif
