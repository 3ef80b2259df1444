/* A shop that sells tea.
 *
 * More words. */
#include <stdio.h>
#include "price.h"

#define TWICE(x) ((x) * 2)

typedef struct {
    int price;
} Tea;

/// A shop.
struct shop {
    struct { int a; } inner;
    Tea *teas;
    int (*compare)(const void *, const void *);
};

typedef struct shop Shop;
typedef int (*callback)(int, void *);
enum state { OPEN, CLOSED };
struct forward;

int sell(struct shop *shop, const char *name);
extern void elsewhere(void);
static int (*handler)(int);

// Sells one tea.
int sell(struct shop *shop, const char *name)
{
    if (shop && name) {
        for (int i = 0; i < 3; i++) { switch (i) { case 1: break; case 2: break; } }
    } else if (name) {
        return name[0] ? 1 : 2;
    }
    return 0;
}

static const char *
helper(void)
{
    int local(int);
    return "x";
}

int main(int argc, char **argv) { return 0; }
