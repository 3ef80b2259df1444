// A shop that sells tea.

#include <vector>
#include "shop.hpp"

namespace tea::shop {

/// Something that can be sold.
class Ware {
public:
    virtual ~Ware() = default;
    virtual int price() const = 0;
    Ware &operator=(const Ware &other);
    int count = 0;
private:
    static int hidden_;
};

/** A shop. */
template <typename T, int N = 3>
struct Shop : public Ware {
    explicit Shop(std::vector<T> teas) : teas_(std::move(teas)) {}
    int price() const override { return 1; }
    using value_type = T;
    std::vector<T> teas_;
};

template <typename T>
T twice(T value) { return value + value; }

enum class State { Open, Closed };

}  // namespace tea::shop

namespace { int hidden() { return 1; } }

// Sells one.
int tea::shop::Till::sell(const std::string &name, int amount)
{
    for (auto x : name) { if (x && amount) { try { throw 1; } catch (...) {} } }
    auto inner = [](int a) { return a; };
    return 0;
}

TEST(ShopTest, SellsTea) { EXPECT_EQ(1, 1); }

int main() { return 0; }
