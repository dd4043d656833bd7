#include "cksweep_pool.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    unit = 64,         // blocks are multiples of this
    size_count = 17,   // up to 1 KiB and the block's head
    kept_max = 1024,   // blocks of one size
};

// Stands before the memory that is given out, which stays aligned.
typedef struct Block {
    size_t room;         // bytes behind it
    struct Block *next;  // the next free block of this size
} Block;

typedef struct {
    Block *free[size_count];
    unsigned kept[size_count];
} Pool;

void *cksweep_pool_make(void) { return calloc(1, sizeof(Pool)); }

void cksweep_pool_end(void *pool) {
    for (int index = 0; index < size_count; index++)
        for (Block *block = ((Pool *)pool)->free[index]; block;) {
            Block *next = block->next;
            free(block);
            block = next;
        }
    free(pool);
}

void *cksweep_pool_malloc(size_t size, void *pool) {
    if (size > SIZE_MAX / 2) return NULL;
    Pool *all = pool;
    const size_t index = (size + sizeof(Block) - 1) / unit;
    if (index < size_count && all->free[index]) {
        Block *block = all->free[index];
        all->free[index] = block->next;
        all->kept[index]--;
        return block + 1;
    }
    Block *block = malloc((index + 1) * unit);
    if (!block) return NULL;
    block->room = (index + 1) * unit - sizeof(Block);
    return block + 1;
}

void cksweep_pool_free(void *memory, void *pool) {
    if (!memory) return;
    Pool *all = pool;
    Block *block = (Block *)memory - 1;
    const size_t index = (block->room + sizeof(Block)) / unit - 1;
    if (index >= size_count || all->kept[index] == kept_max) {
        free(block);
        return;
    }
    block->next = all->free[index];
    all->free[index] = block;
    all->kept[index]++;
}

void *cksweep_pool_calloc(size_t count, size_t size, void *pool) {
    if (size && count > SIZE_MAX / size) return NULL;
    void *memory = cksweep_pool_malloc(count * size, pool);
    return memory ? memset(memory, 0, count * size) : NULL;
}

void *cksweep_pool_realloc(void *memory, size_t size, void *pool) {
    const size_t room = memory ? ((Block *)memory - 1)->room : 0;
    if (memory && size <= room) return memory;
    void *larger = cksweep_pool_malloc(size, pool);
    if (!larger || !memory) return larger;
    memcpy(larger, memory, room);
    cksweep_pool_free(memory, pool);
    return larger;
}
