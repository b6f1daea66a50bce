// Trees against sorted vectors, and after each step the library's own verification of their balance.
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

using Tree = std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>>;

static void one(int seed) {
    std::srand(seed);
    Tree tree;
    std::set<int> set;
    std::vector<int> expected;
    for (int step = 0; step < 400; step++) {
        const int number = std::rand() % (1 + seed % 97);
        const auto at = std::lower_bound(expected.begin(), expected.end(), number);
        const bool is_there = at != expected.end() && *at == number;
        if (std::rand() % 2) {
            assert(tree._M_insert_unique(number).second == !is_there);
            set.insert(number);
            if (!is_there) expected.insert(at, number);
        } else {
            assert(tree.erase(number) == is_there);
            set.erase(number);
            if (is_there) expected.erase(at);
        }
        assert(tree.__rb_verify());
        assert(std::equal(set.begin(), set.end(), expected.begin(), expected.end()));
        assert(std::equal(set.rbegin(), set.rend(), expected.rbegin(), expected.rend()));
    }
}

int main() {
    for (int seed = 1; seed < 200; seed++) one(seed);
    const std::map<int, int> map{{2, 4}, {1, 1}, {3, 9}};
    auto last = map.end();
    assert((--last)->second == 9 && (++map.begin())->second == 4);
    return 0;
}
