#include "cksweep_simdjson.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <new>
// Nothing is written with simdjson; newer compilers refuse that part of its versions before 3.10.
#define SIMDJSON_SERIALIZATION_H
#define SIMDJSON_SERIALIZATION_INL_H
#include <simdjson.h>
#include <vector>

namespace {

// Above this, a text gets memory of its own, which goes with the document.
constexpr size_t keptBytesMax = 512 << 10;
constexpr size_t firstCapacity = 16 << 10;
// Up to so many keys are compared each with each; above, they are sorted.
constexpr size_t fewKeys = 16;

struct State {
    simdjson::dom::parser parser;
    std::vector<cksweep_json_token> tokens;
    std::vector<uint32_t> open;  // indices of the objects and arrays around the current token
    std::vector<uint32_t> keys;  // of the object that ends
};

thread_local State *state = nullptr;

struct Owner {  // frees the state when its thread ends
    ~Owner() {
        delete state;
        state = nullptr;
    }
};
thread_local Owner owner;

State &threadState() {
    (void)&owner;
    if (!state) {
        state = new State;
        (void)state->parser.allocate(firstCapacity);
    }
    return *state;
}

// The index of a key that stands twice in the object that ends; 0 when none does.
size_t repeatedKey(
    const std::vector<cksweep_json_token> &tokens, size_t object, const uint8_t *text,
    std::vector<uint32_t> &keys) {
    keys.clear();
    size_t at = object + 1;
    for (uint32_t left = tokens[object].length; left > 0; left--) {
        keys.push_back(uint32_t(at));
        const cksweep_json_token &value = tokens[at + 1];
        at = value.kind == '{' || value.kind == '[' ? value.payload + 1 : at + 2;
    }
    const auto order = [&](uint32_t left, uint32_t right) {
        const cksweep_json_token &a = tokens[left], &b = tokens[right];
        if (a.length != b.length) return a.length < b.length ? -1 : 1;
        return std::memcmp(text + a.payload, text + b.payload, a.length);
    };
    if (keys.size() <= fewKeys) {
        for (size_t later = 1; later < keys.size(); later++)
            for (size_t earlier = 0; earlier < later; earlier++)
                if (order(keys[earlier], keys[later]) == 0) return keys[later];
        return 0;
    }
    std::sort(keys.begin(), keys.end(), [&](uint32_t left, uint32_t right) {
        const int difference = order(left, right);
        return difference != 0 ? difference < 0 : left < right;
    });
    for (size_t next = 1; next < keys.size(); next++)
        if (order(keys[next - 1], keys[next]) == 0) return keys[next];
    return 0;
}

// Whether a text has more brackets, commas and colons outside its strings than this: each value
// and each key comes with one. What is no JSON is counted somehow, and refused by the parser.
bool hasMoreMarks(const uint8_t *text, size_t length, size_t marks_max) {
    size_t marks = 0;
    for (size_t at = 0; at < length; at++) {
        switch (text[at]) {
        case '{': case '}': case '[': case ']': case ',': case ':':
            if (++marks > marks_max) return true;
            break;
        case '\\':
            at++;  // the parser takes no quotation mark after it for one either
            break;
        case '"':
            for (at++; at < length && text[at] != '"'; at++) {
                at += cksweep_json_plain_length(text + at, length - at);
                if (at < length && text[at] == '"') break;
                if (at < length && text[at] == '\\') at++;
            }
            break;
        default:
            break;
        }
    }
    return false;
}

// Turns simdjson's tape (its doc/tape.md) into our tokens.
int flatten(
    const simdjson::dom::document &document, State &state, size_t depth_max,
    cksweep_json_result *result) {
    const uint64_t *tape = document.tape.get();
    const uint8_t *text = document.string_buf.get();
    auto &tokens = state.tokens;
    auto &open = state.open;
    const size_t end = tape[0] & 0xFFFFFFFF;
    size_t text_count = 0;
    tokens.clear();
    open.clear();
    result->repeated_key = 0;
    bool expects_key = false;
    for (size_t at = 1; at < end - 1; at++) {
        const uint32_t kind = uint32_t(tape[at] >> 56);
        const uint64_t payload = tape[at] & 0x00FFFFFFFFFFFFFF;
        cksweep_json_token token = {kind, 0, 0};
        if (kind == '}' || kind == ']') {
            const size_t begin = open.back();
            tokens[begin].payload = tokens.size();
            open.pop_back();
            if (kind == '}' && result->repeated_key == 0)
                result->repeated_key = repeatedKey(tokens, begin, text, state.keys);
            tokens.push_back(token);
            expects_key = !open.empty() && tokens[open.back()].kind == '{';
            continue;
        }
        if (expects_key) {
            token.kind = 'k';
        } else if (!open.empty()) {
            tokens[open.back()].length++;
        }
        switch (kind) {
        case '"': {
            uint32_t length;
            std::memcpy(&length, text + payload, sizeof length);
            if (!expects_key) token.kind = 's';
            token.length = length;
            token.payload = payload + sizeof length;
            text_count = token.payload + length;
            break;
        }
        case 'l':
            token.kind = 'i';
            token.payload = tape[++at];
            break;
        case 'u': {
            const double value = double(tape[++at]);
            token.kind = 'd';
            std::memcpy(&token.payload, &value, sizeof value);
            break;
        }
        case 'd':
            token.payload = tape[++at];
            break;
        case '{':
        case '[':
            if (open.size() == depth_max) return CKSWEEP_JSON_TOO_DEEP;
            open.push_back(uint32_t(tokens.size()));
            break;
        default:
            break;
        }
        tokens.push_back(token);
        if (token.kind == 'k') {
            expects_key = false;
        } else {
            expects_key = !open.empty() && tokens[open.back()].kind == '{';
        }
    }
    result->tokens = tokens.data();
    result->token_count = tokens.size();
    result->text = text;
    result->text_count = text_count;
    return CKSWEEP_JSON_OK;
}

int code(simdjson::error_code error) {
    switch (error) {
    case simdjson::SUCCESS: return CKSWEEP_JSON_OK;
    case simdjson::DEPTH_ERROR: return CKSWEEP_JSON_TOO_DEEP;
    case simdjson::MEMALLOC: return CKSWEEP_JSON_NO_MEMORY;
    default: return CKSWEEP_JSON_MALFORMED;
    }
}

}  // namespace

// What a large text leaves.
struct cksweep_json_owner {
    simdjson::dom::document document;
    State state;
};

namespace {

// A large text: nothing is kept for longer than it is needed, and nothing copied twice.
int parseLarge(
    const uint8_t *bytes, size_t length, size_t depth_max, cksweep_json_result *result) {
    auto made = std::make_unique<cksweep_json_owner>();
    {
        // Goes first: it has a copy of the text, and what was found in it.
        simdjson::dom::parser parser;
        const int parsed = code(
            parser.parse_into_document(made->document, bytes, length, true).error());
        if (parsed != CKSWEEP_JSON_OK) return parsed;
    }
    // As many as there are at most: a vector that grows would hold them twice meanwhile.
    made->state.tokens.reserve(made->document.tape[0] & 0xFFFFFFFF);
    const int flattened = flatten(made->document, made->state, depth_max, result);
    if (flattened != CKSWEEP_JSON_OK) return flattened;
    made->document.tape.reset();
    result->owner = made.release();
    return CKSWEEP_JSON_OK;
}

}  // namespace

int cksweep_json_parse(
    const uint8_t *bytes, size_t length, size_t depth_max, size_t marks_max,
    cksweep_json_result *result) {
    result->owner = nullptr;
    try {
        if (length > marks_max && hasMoreMarks(bytes, length, marks_max))
            return CKSWEEP_JSON_TOO_MANY;
        if (length > keptBytesMax) return parseLarge(bytes, length, depth_max, result);
        State &kept = threadState();
        const int parsed = code(kept.parser.parse(bytes, length, true).error());
        if (parsed != CKSWEEP_JSON_OK) return parsed;
        return flatten(kept.parser.doc, kept, depth_max, result);
    } catch (const std::bad_alloc &) {
        return CKSWEEP_JSON_NO_MEMORY;
    }
}

void cksweep_json_free(cksweep_json_owner *owner) { delete owner; }

size_t cksweep_json_plain_length(const uint8_t *text, size_t length) {
    // Eight bytes at a time. A byte below a bound borrows from its top bit, and a byte that equals
    // another is below 1 after they are compared; now and then one that is plain seems to as well.
    constexpr uint64_t ones = 0x0101010101010101;
    size_t index = 0;
    for (; index + 8 <= length; index += 8) {
        uint64_t word;
        std::memcpy(&word, text + index, sizeof word);
        const uint64_t quotes = word ^ ones * '"', slashes = word ^ ones * '\\';
        const uint64_t found = ((word - ones * 0x20) & ~word) | ((quotes - ones) & ~quotes) |
                               ((slashes - ones) & ~slashes);
        if (found & ones * 0x80) break;
    }
    while (index < length && text[index] >= 0x20 && text[index] != '"' && text[index] != '\\') index++;
    return index;
}

size_t cksweep_json_write_double(double value, uint8_t *out) {
    char *begin = reinterpret_cast<char *>(out);
    char *end = std::to_chars(begin, begin + 32, value).ptr;
    return size_t(end - begin);
}
