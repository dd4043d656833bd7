#include "cksweep_simdjson.h"

#include <charconv>
#include <cstring>
#include <new>
#include <simdjson.h>
#include <vector>

namespace {

// Above this, what a document made us allocate, some twenty times its size, is given
// back at the next parse.
constexpr size_t keptBytesMax = 512 << 10;
constexpr size_t firstCapacity = 16 << 10;

struct State {
    simdjson::dom::parser parser;
    std::vector<cksweep_json_token> tokens;
    std::vector<uint32_t> open;  // indices of the objects and arrays around the current token
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

// Turns simdjson's tape (its doc/tape.md) into our tokens.
int flatten(State &state, size_t depth_max, cksweep_json_result *result) {
    const uint64_t *tape = state.parser.doc.tape.get();
    const uint8_t *text = state.parser.doc.string_buf.get();
    auto &tokens = state.tokens;
    auto &open = state.open;
    const size_t end = tape[0] & 0xFFFFFFFF;
    size_t text_count = 0;
    tokens.clear();
    open.clear();
    bool expects_key = false;
    for (size_t at = 1; at < end - 1; at++) {
        const uint32_t kind = uint32_t(tape[at] >> 56);
        const uint64_t payload = tape[at] & 0x00FFFFFFFFFFFFFF;
        cksweep_json_token token = {kind, 0, 0};
        if (kind == '}' || kind == ']') {
            tokens[open.back()].payload = tokens.size();
            open.pop_back();
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

}  // namespace

int cksweep_json_parse(
    const uint8_t *bytes, size_t length, size_t depth_max, cksweep_json_result *result) {
    try {
        if (state && state->parser.capacity() > keptBytesMax) {
            delete state;
            state = nullptr;
        }
        State &kept = threadState();
        switch (kept.parser.parse(bytes, length, true).error()) {
        case simdjson::SUCCESS: return flatten(kept, depth_max, result);
        case simdjson::DEPTH_ERROR: return CKSWEEP_JSON_TOO_DEEP;
        case simdjson::MEMALLOC: return CKSWEEP_JSON_NO_MEMORY;
        default: return CKSWEEP_JSON_MALFORMED;
        }
    } catch (const std::bad_alloc &) {
        return CKSWEEP_JSON_NO_MEMORY;
    }
}

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
